/**
 * What CHANGELOG.md (Keep a Changelog) says of one version. A release without a word about what is in it is not made.
 */

export interface ChangelogSection {
  /** As in the heading, YYYY-MM-DD. */
  readonly date: string;
  /** Markdown, without the heading. */
  readonly text: string;
  /** Entries that no version has yet, though the release contains them. */
  readonly unreleased: number;
}

/** The section of `version` (without v). Throws an Error that says what to write when there is none, or it says nothing. */
export function changelogSection(changelog: string, version: string): ChangelogSection {
  const sections = new Map(
    changelog
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [heading = '', ...lines] = section.split('\n');
        return [/^\[([^\]]+)\]/.exec(heading)?.[1] ?? '', { heading, text: lines.join('\n').trim() }];
      }),
  );
  const section = sections.get(version);
  const wanted = `## [${version}] - YYYY-MM-DD`;
  if (section === undefined)
    throw new Error(`CHANGELOG.md has no section for ${version}: give it a heading "${wanted}"`);
  const date = /^\[[^\]]+\] - (\d{4}-\d{2}-\d{2})$/.exec(section.heading.trim())?.[1];
  if (date === undefined || Number.isNaN(Date.parse(date))) {
    throw new Error(`CHANGELOG.md has the heading "## ${section.heading}" without a date: want "${wanted}"`);
  }
  if (entriesIn(section.text) === 0) throw new Error(`CHANGELOG.md lists nothing under ${version}: say what is in it`);
  return { date, text: section.text, unreleased: entriesIn(sections.get('Unreleased')?.text ?? '') };
}

function entriesIn(text: string): number {
  return text.match(/^[-*] \S/gm)?.length ?? 0;
}
