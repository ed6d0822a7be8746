# Runs the parts of scripts/test and scripts/validate: sourced, not run.
#
# A part is a function part_<name>. Its output goes to $logs/<name>.log and is shown if it fails. It may leave what it
# counted in the file $counts ("passed failed skipped"); otherwise it counts as one test. A part that returns 77 was
# skipped, and the last line it printed says why.

jobs=${FLEXURA_JOBS:-$(nproc)}

run_parts() {
  mkdir -p "$logs"
  passed=0 failed=0 skipped=0 table=""
  started=$SECONDS
  local part status begin verdict reason
  for part in "$@"; do
    declare -F "part_$part" >/dev/null || {
      echo "there is no part '$part'; there are: ${all_parts[*]}" >&2
      exit 2
    }
  done
  for part in "$@"; do
    counts="$logs/$part.counts"
    rm -f "$counts"
    printf '%-12s ' "$part"
    begin=$SECONDS
    # Not in a condition: there, bash would ignore `set -e`.
    (
      set -e
      "part_$part"
    ) >"$logs/$part.log" 2>&1 </dev/null
    status=$?
    reason=""
    case $status in
      0)
        verdict=passed
        if [ -s "$counts" ]; then
          read -r p f s <"$counts"
          passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
          reason="$p passed, $f failed"
          [ "$f" = 0 ] || verdict=FAILED
        else
          passed=$((passed + 1))
        fi
        ;;
      77)
        verdict=skipped
        reason=$(tail -n 1 "$logs/$part.log")
        skipped=$((skipped + 1))
        ;;
      *)
        verdict=FAILED
        if [ -s "$counts" ]; then
          read -r p f s <"$counts"
          passed=$((passed + p)) failed=$((failed + (f > 0 ? f : 1))) skipped=$((skipped + s))
          reason="$p passed, $f failed"
        else
          failed=$((failed + 1))
        fi
        ;;
    esac
    printf '%-8s %4d s  %s\n' "$verdict" $((SECONDS - begin)) "$reason"
    table+=$(printf '| %-12s | %-8s | %5d s | %s |' "$part" "$verdict" $((SECONDS - begin)) "$reason")$'\n'
    if [ "$verdict" = FAILED ]; then
      tail -n "${FLEXURA_LOG_LINES:-60}" "$logs/$part.log" | sed 's/^/    /'
      echo "    full log: $logs/$part.log"
    fi
  done
  table="| part         | result   |    time | |"$'\n'"|--------------|----------|---------|-|"$'\n'"$table"
}

# Prints the table and the closing line; the exit status is 1 if anything failed or nothing ran.
close_parts() {
  echo
  printf '%s' "$table"
  echo
  echo "total $((SECONDS - started)) s"
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# Runs the C++ tests of a build folder and counts single tests from GoogleTest's reports.
run_ctest() {
  local folder=$1 status=0
  shift
  rm -rf "$folder/reports"
  mkdir -p "$folder/reports"
  GTEST_OUTPUT="xml:$PWD/$folder/reports/" ctest --test-dir "$folder" --output-on-failure -j "$jobs" "$@" || status=$?
  python3 scripts/count_tests "$folder/reports" >"$counts"
  return $status
}
