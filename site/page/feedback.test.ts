import { expect, it } from 'vitest';
import { issueAddress } from './feedback.ts';

const FORM =
  'https://github.com/o/r/issues/new?template=documentation.yml&title=Docs%3A+A&page=https%3A%2F%2Fd.example%2Fa';

it('an issue opens with the page, the place on it and what was said', () => {
  const url = new URL(issueAddress(FORM, { kind: 'A command does not work', where: '#start', text: 'It says\n& no' }));
  expect(Object.fromEntries(url.searchParams)).toEqual({
    template: 'documentation.yml',
    title: 'Docs: A',
    page: 'https://d.example/a#start',
    problem: 'A command does not work.\n\nIt says\n& no',
  });
});

it('what is too long for an address is cut', () => {
  const said = { kind: 'x', where: '', text: 'a'.repeat(10_000) };
  expect(issueAddress(FORM, said).length).toBeLessThan(3000);
});
