/**
 * A defect of tla-checker 0.9.0 that modules must not meet: where an argument names something that is called like another
 * parameter of the operator, it is evaluated to what that parameter is. With Minus(a, b) == a - b, the call Minus(b, 1) is 0.
 */

const DEFINITION = /^(\w+)\(([\w, ]+)\) *==/gm;

/** Sentences about the calls in a module that would be misread; empty when there are none. */
export function findCaptures(text: string): string[] {
  const code = text.replaceAll(/\\\*.*$/gm, '').replaceAll(/"[^"\n]*"/g, '""');
  const found: string[] = [];
  for (const [, name, list] of code.matchAll(DEFINITION)) {
    const parameters = list!.split(',').map((one) => one.trim());
    for (const { index } of code.matchAll(new RegExp(String.raw`\b${name}\(`, 'g'))) {
      const call = argumentsAt(code, index + name!.length);
      for (const [at, argument] of call.entries()) {
        const taken = parameters.filter((one, other) => other !== at && one !== call[other] && mentions(argument, one));
        if (taken.length > 0) found.push(`${name}(${call.join(', ')}): an argument names ${taken.join(' and ')}`);
      }
    }
  }
  return found;
}

/** Whether it is named there, and not as a field of a record. */
function mentions(text: string, name: string): boolean {
  return new RegExp(String.raw`(?<![.!\w])${name}\b(?! *\|->)`).test(text);
}

/** What stands between the parenthesis at `from` and its end, split at the commas that are in no other bracket. */
function argumentsAt(code: string, from: number): string[] {
  const found: string[] = [];
  let depth = 0;
  let begin = from + 1;
  for (let at = from; at < code.length; at++) {
    const sign = code[at]!;
    const isDouble = code[at + 1] === sign && (sign === '<' || sign === '>');
    if ('([{'.includes(sign) || (sign === '<' && isDouble)) depth++;
    else if (')]}'.includes(sign) || (sign === '>' && isDouble)) depth--;
    else if (sign === ',' && depth === 1) {
      found.push(code.slice(begin, at).trim());
      begin = at + 1;
    }
    if (isDouble) at++;
    if (depth === 0) return [...found, code.slice(begin, at).trim()];
  }
  return found;
}
