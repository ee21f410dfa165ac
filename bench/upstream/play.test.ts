import { describe, expect, test } from 'vitest';
import { outcomesOf } from './play.ts';

const whole = { test: 'TestLeaves', parts: [] };
const inParts = { test: 'TestCluster', parts: ['TestOne', 'TestTwo', 'TestThree'] };

const failure = `    sequencer_failover_setup.go:421:
        	Error Trace:	/build/op-e2e/system/conductor/sequencer_failover_setup.go:421
        	Error:      	Should be false
        	Test:       	TestCluster/TestTwo
        	Messages:   	Expected nobody
`;

describe('what a Go test says', () => {
  test('passed is what it says has passed, with its time', () => {
    expect(outcomesOf(whole, '=== RUN   TestLeaves\n--- PASS: TestLeaves (41.20s)\nPASS\n')).toEqual([
      { test: 'TestLeaves', isPassed: true, seconds: 41.2, message: '' },
    ]);
  });

  test('a part that failed has its reason; one that never began says so; another name is no word about it', () => {
    const output = [
      ...['=== RUN   TestCluster', '=== RUN   TestCluster/TestOne', '=== RUN   TestCluster/TestTwo', failure],
      ...['--- FAIL: TestCluster (60.00s)', '    --- PASS: TestCluster/TestOne (1.00s)'],
      ...['    --- FAIL: TestCluster/TestTwo (2.50s)', '    --- PASS: TestCluster/TestThreeAndMore (1.00s)', 'FAIL'],
    ].join('\n');
    expect(outcomesOf(inParts, output)).toEqual([
      { test: 'TestOne', isPassed: true, seconds: 1, message: '' },
      { test: 'TestTwo', isPassed: false, seconds: 2.5, message: 'sequencer_failover_setup.go:421 Should be false' },
      {
        ...{ test: 'TestThree', isPassed: false, seconds: 0 },
        message: expect.stringMatching(/^did not begin: /) as string,
      },
    ]);
  });

  test('parts that were not come to have the reason of what went wrong before them', () => {
    const output = `=== RUN   TestCluster\n${failure.replace('/TestTwo', '')}--- FAIL: TestCluster (60.00s)\n`;
    const message = 'did not begin: sequencer_failover_setup.go:421 Should be false';
    expect(outcomesOf(inParts, output)).toMatchObject([{ message }, { message }, { message }]);
  });

  test('neither a skipped test nor one whose time was over has passed', () => {
    const skipped = '=== RUN   TestLeaves\n    a_test.go:33: Flaky\n--- SKIP: TestLeaves (0.00s)\nPASS\n';
    expect(outcomesOf(whole, skipped)).toMatchObject([{ isPassed: false }]);
    const over = '=== RUN   TestLeaves\npanic: test timed out after 5m0s\n';
    expect(outcomesOf(whole, over)).toMatchObject([
      { isPassed: false, message: expect.stringMatching(/timed out/) as string },
    ]);
  });
});
