#!/usr/bin/env bash
# What build servers read: SARIF, JUnit and annotations have what their readers require, and say the same as the text.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
cp -r "$DATA/suite" tests

# holds WHAT FILE FILTER…: the filter gives true.
holds() {
    local what=$1 file=$2
    shift 2
    jq -e "$@" "$file" >/dev/null || fail "$what: not so in $file: $*"
}

# sarif_is_whole FILE: the properties that SARIF 2.1.0 and code scanning require, in every result.
sarif_is_whole() {
    holds 'the file' "$1" '.version == "2.1.0" and (."$schema" | test("sarif-2.1.0")) and (.runs | length) == 1'
    holds 'the tool' "$1" '.runs[0].tool.driver | .name == "heddle" and (.version | length) > 0 and (.rules | length) == 20'
    holds 'the rules' "$1" '.runs[0].tool.driver.rules | all(.id and .name and .shortDescription.text and
        .fullDescription.text and .defaultConfiguration.level == "error")'
    holds 'the invocation' "$1" '.runs[0].invocations[0] | has("executionSuccessful")'
    holds 'the results' "$1" '.runs[0] as $run | $run.results | all(
        (.ruleId == $run.tool.driver.rules[.ruleIndex].id) and (.level | test("^(error|note)$")) and (.message.text | length) > 0
        and (.partialFingerprints."heddleIdentity/v1" | test("^[0-9a-f]{16}$"))
        and (.partialFingerprints.primaryLocationLineHash | length) > 0
        and (.locations | length) == 1
        and (.locations[0].physicalLocation | .region.startLine >= 1 and (.artifactLocation.uri | test("^[A-Za-z0-9%/._~:-]+$"))))'
    holds 'the code flows' "$1" '[.runs[0].results[].codeFlows[]?.threadFlows[]] | length > 0 and all(.id and
        (.locations | length) > 0 and (.locations | all(.location.physicalLocation.region.startLine >= 1
            and (.location.message.text | length) > 0 and .executionOrder >= 1)))'
}

heddle check --explain 1 --sarif report.sarif --junit report.xml --json report.json tests
[ "$status" -eq 1 ] || fail "status $status"
sarif_is_whole report.sarif
holds 'two results' report.sarif '[.runs[0].results[].ruleId] == ["heddle/race", "heddle/assertion"]'
holds 'their places' report.sarif '[.runs[0].results[].locations[0].physicalLocation | .artifactLocation.uri, .region.startLine]
    == ["tests/counter.c", 21, "tests/counter.c", 48]'
holds 'threads of the race' report.sarif '[.runs[0].results[0].codeFlows[0].threadFlows[].id] == ["main", "T1", "T2"]'
holds 'the order of the steps' report.sarif '[.runs[0].results[1].codeFlows[0].threadFlows[].locations[].executionOrder] |
    (unique | length) == length'
holds 'the same fingerprints' report.sarif --slurpfile json report.json '[.runs[0].results[].partialFingerprints."heddleIdentity/v1"]
    == [$json[0].tests[].bugs[].fingerprint]'

xmllint --noout report.xml || fail 'JUnit: no well-formed XML'
# of_xml XPATH: its value.
of_xml() { xmllint --xpath "string($1)" report.xml; }
[ "$(of_xml 'count(//testcase)')/$(of_xml '/testsuites/@tests')/$(of_xml '/testsuites/@failures')" = 4/4/2 ] || fail 'JUnit: counts'
[ "$(of_xml 'count(/testsuites/testsuite)')" = 2 ] || fail 'JUnit: a suite for each program'
[ "$(of_xml '//testcase[2]/failure/@type')" = race ] || fail "JUnit: $(of_xml '//testcase[2]/failure/@type')"
[ "$(of_xml '//testcase[2]/@name')" = 'neither locks, at all' ] || fail 'JUnit: the name'
of_xml '//testcase[2]/failure' | grep -q 'first access, T1' || fail 'JUnit: no report in it'

# A bug has the same fingerprint in another build with other lines, and another one in another function.
prints() { jq -c '[.tests[].bugs[].fingerprint]' "$1"; }
prints report.json >before
sed -i '1i // one\n// two\n// three' tests/counter.c
heddle check --explain 0 --cflags '-DOTHER -O0' --json report.json tests
[ "$(prints report.json)" = "$(cat before)" ] || fail "fingerprints changed with the lines: $(cat before) $(prints report.json)"
sed -i 's/add_unlocked/add_otherwise/g' tests/counter.c
heddle check --explain 0 --json report.json tests
[ "$(prints report.json | cut -d, -f2)" = "$(cut -d, -f2 before)" ] || fail 'an assertion has another fingerprint'
[ "$(prints report.json | cut -d, -f1)" != "$(cut -d, -f1 before)" ] || fail 'a race in another function has the same fingerprint'

# Each kind of bug has a result with a place, also those that fail nowhere in particular.
for case in deadlock_abba:deadlock spin_never:livelock use_after_free:use-after-free double_free:double-free \
    bad_free:bad-free unlock_not_owner:lock-misuse abort:abort segv:signal; do
    heddle check --explain 0 --sarif one.sarif --schedule s.hd "$CASES/${case%:*}.c"
    sarif_is_whole one.sarif
    holds "$case" one.sarif --arg rule "heddle/${case#*:}" '.runs[0].results | length == 1 and .[0].ruleId == $rule
        and .[0].locations[0].physicalLocation.region.startLine > 1'
done
heddle check --leaks --explain 0 --sarif one.sarif --schedule s.hd "$CASES/leak.c"
holds leak one.sarif '.runs[0].results[0] | .ruleId == "heddle/leak" and .locations[0].physicalLocation.region.startLine > 1'

# What is not verified is no result, but not silent either.
heddle check --max-executions 1 --sarif one.sarif --junit report.xml --annotations tests/plain.c
holds incomplete one.sarif '.runs[0] | (.results == []) and .invocations[0].toolExecutionNotifications[0].level == "warning"'
[ "$(of_xml '//testcase/error/@type')" = incomplete ] || fail 'JUnit: incomplete is no error'
grep -q '^::warning file=tests/plain.c,line=1,title=heddle%3A incomplete::the bound of 1 execution was reached$' out ||
    fail "annotation of incomplete: $(grep :: out)"
echo 'int main(void) { return undeclared; }' >wrong.c
heddle check --list --sarif one.sarif --junit report.xml --annotations wrong.c
holds 'does not compile' one.sarif '.runs[0].invocations[0].executionSuccessful == false'
[ "$(of_xml '//testcase/error/@type')" = error ] || fail 'JUnit: what does not compile is no error'
grep -q '^::error file=wrong.c,line=1,title=heddle%3A error::' out || fail "annotation of an error: $(grep :: out)"

# Names that need escaping in each format, and the printed command line works as it is.
odd='odd, 100%: <a&b> "it'\''s".c'
cp "$CASES/race.c" "$odd"
heddle check --explain 0 --annotations --sarif one.sarif --junit report.xml "$odd"
grep -qF "::error file=odd%2C 100%25%3A <a&b> \"it's\".c,line=" out || fail "annotation: $(grep :: out)"
[ "$(grep -c '^::' out)" -eq 1 ] || fail "annotation: more than one line"
sarif_is_whole one.sarif
holds 'an odd name' one.sarif '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri
    == "odd%2C%20100%25%3A%20%3Ca%26b%3E%20%22it%27s%22.c"'
xmllint --noout report.xml || fail 'JUnit: no well-formed XML with an odd name'
[ "$(of_xml '//testcase/@name')" = "$odd" ] || fail "JUnit: $(of_xml '//testcase/@name')"
command=$(sed -n 's/^  replay: *heddle //p' out)
eval "\"\$HEDDLE\" $command" >again 2>err
[ $? -eq 1 ] && grep -q '^bug: race' again || fail "the command does not work: heddle $command: $(cat err)"
printf '#include <heddle/heddle.h>\nheddle_test("\\"<x>\\" & \\1 %% \\n end") { heddle_assert(0); }\n' >control.c
heddle check --explain 0 --annotations --junit report.xml --sarif one.sarif --json one.json control.c
xmllint --noout report.xml || fail 'JUnit: no well-formed XML with control characters'
sarif_is_whole one.sarif
[ "$(grep -c '^::' out)" -eq 1 ] || fail "annotation with a line break: $(grep -A1 :: out)"

# To standard output: nothing else is there. Only one report can go there; files that cannot be written are an error.
for format in json sarif; do
    heddle check --explain 0 --$format - tests
    jq -e . out >/dev/null || fail "--$format -: not only JSON"
done
heddle check --explain 0 --junit - tests
xmllint --noout out || fail '--junit -: not only XML'
for options in '--json - --sarif -' '--junit - --annotations' '--write-baseline -'; do
    heddle check $options tests/plain.c
    [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "$options: status $status, $(cat err)"
done
for option in json sarif junit write-baseline; do
    for path in /nonexistent/file /dev/full tests; do
        heddle check --$option $path tests/plain.c
        [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "--$option $path: status $status, $(cat err)"
        grep -q verified out || fail "--$option $path: no verdict"
    done
done
nothing_left 'all of it'
finish
