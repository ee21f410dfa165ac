/**
 * One menu: `menu.yaml` of a folder of content/pages lists what the folder holds, in order, with labels.
 */
import { z } from 'zod';
import { readYamlPart } from './yaml-part.ts';
import { checkEncoding, type Problem } from './problems.ts';

const name = z
  .string({ error: 'This must be text in quotes: the name of a file or folder beside the menu, without .mdx.' })
  .regex(/^[\w.-]+$/, 'This must be the name of a file or folder beside the menu, without .mdx.');
const flag = z.boolean({ error: 'This is either true or false.' }).optional();
const words = z
  .string({ error: 'This must be text; put it into quotes if it is a number.' })
  .trim()
  .min(1, 'This is empty.');

const entrySchema = z
  .strictObject(
    {
      page: name.optional(),
      folder: name.optional(),
      link: z
        .string()
        .refine(
          (address) => URL.canParse(address) && address.startsWith('https:'),
          'A link is a whole address with https://.',
        )
        .optional(),
      separator: words.nullable().optional(),
      label: words.optional(),
      title: words.optional(),
      name: name.optional(),
      display: z.enum(['listed', 'children'], { error: 'display is either listed or children.' }).optional(),
      hidden: flag,
      /** Of a folder: its pages have a reading order of their own; nothing leads into it from the page before. */
      apart: flag,
      newWindow: flag,
      topBar: flag,
    },
    {
      error:
        'A menu entry has no such key; it has page, folder, link or separator, and label, title, name, display, hidden, apart, newWindow, topBar.',
    },
  )
  .superRefine((entry, context) => {
    const kinds = (['page', 'folder', 'link', 'separator'] as const).filter((key) => entry[key] !== undefined);
    if (kinds.length !== 1) {
      context.addIssue({
        code: 'custom',
        message:
          'A menu entry is exactly one of `page: name`, `folder: name`, `link: https://…` and `separator: WORD`.',
      });
    } else if (kinds[0] !== 'separator' && entry.label === undefined) {
      context.addIssue({ code: 'custom', message: 'The entry needs a label: the words in the sidebar.' });
    }
  });
const schema = z.array(entrySchema, { error: 'A menu is a list of entries, each on a line that begins with a dash.' });

export type MenuEntry = z.infer<typeof entrySchema> & { readonly line: number };

export interface Menu {
  readonly file: string;
  readonly entries: readonly MenuEntry[];
  readonly problems: readonly Problem[];
}

/** By file: an edit of a page reads all menus, and parsing takes longer than reading. */
const known = new Map<string, { readonly text: string; readonly menu: Menu }>();

/** Reads a menu file. `file` is its path within the repository. */
export function readMenu(file: string, text: string): Menu {
  const last = known.get(file);
  if (last?.text === text) return last.menu;
  const menu = parseMenu(file, text);
  known.set(file, { text, menu });
  return menu;
}

function parseMenu(file: string, text: string): Menu {
  const { value, problems, lineOf } = readYamlPart({ file, firstLine: 1, text }, schema);
  const entries = (value ?? []).map((entry, index) => ({ ...entry, line: lineOf([index]) }));
  return { file, entries, problems: [...checkEncoding(file, text), ...problems] };
}
