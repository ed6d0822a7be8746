// What the static HDF5 of Debian asks for beside its own: the streams of the C library under other names, and libcurl and
// libcrypto for files in S3, which are not used here: opening one fails.

#include <cstdio>

extern "C" {

FILE* flexura_stdin = stdin;
FILE* flexura_stdout = stdout;
FILE* flexura_stderr = stderr;

constexpr int refused = 1;
int curl_global_init(long) { return 0; }
void curl_global_cleanup() {}
void* curl_easy_init() { return nullptr; }
void curl_easy_cleanup(void*) {}
int curl_easy_perform(void*) { return refused; }
int curl_easy_setopt(void*, int, ...) { return refused; }
void* curl_slist_append(void*, const char*) { return nullptr; }
void curl_slist_free_all(void*) {}
const void* EVP_sha256() { return nullptr; }
unsigned char* HMAC(const void*, const void*, int, const unsigned char*, std::size_t, unsigned char*, unsigned*) {
  return nullptr;
}

}  // extern "C"
