/**
 * Checks source files against the house: every import follows an arrow, only the outer rings use
 * platform modules and packages, arrows lead downwards, and no files import each other in a circle.
 */
import { posix } from 'node:path';
import { COMPUTED, findImports } from './imports.ts';
import { knownCycles, parts, type Part } from './house.ts';

/** Path from the repository's root, with forward slashes, to source text. */
export type Sources = ReadonlyMap<string, string>;

type Edges = Map<string, string[]>;

/** Sentences that name the file, the import and the rule; empty when all is well. */
export function findViolations(sources: Sources): string[] {
  const violations: string[] = [];
  const edges: Edges = new Map();
  for (const [file, text] of sources) {
    const part = partOf(file);
    if (part === null) {
      violations.push(`${file} belongs to no part of the house (tests/architecture/house.ts)`);
      continue;
    }
    const targets: string[] = [];
    for (const specifier of findImports(text)) {
      const target = resolveImport(file, specifier);
      if (target !== null) targets.push(target);
      const complaint = target === null ? checkPackage(part, specifier) : checkArrow(part, target);
      if (complaint !== null) violations.push(`${file} imports ${specifier}: ${complaint}`);
    }
    edges.set(file, targets);
  }
  return [...violations, ...findCycles(withoutKnown(edges))];
}

/** Sentences about known cycles that are none any more; empty when each of them is still closed. */
export function staleCycles(sources: Sources): string[] {
  const edges: Edges = new Map();
  for (const [file, text] of sources) {
    edges.set(
      file,
      findImports(text).flatMap((specifier) => resolveImport(file, specifier) ?? []),
    );
  }
  return knownCycles
    .filter(([file, imported]) => !edges.get(file)?.includes(imported) || !leadsTo(edges, imported, file))
    .map(([file, imported]) => `${file} → ${imported} closes no cycle: take it out of knownCycles`);
}

/** Sentences about arrows that do not lead to a part further up in the list. */
export function risingArrows(list: readonly Part[]): string[] {
  const place = new Map(list.map(({ name }, at) => [name, at]));
  return list.flatMap(({ name, mayImport, room }, at) =>
    mayImport
      .filter((target) => target !== room && (place.get(target) ?? Infinity) >= at)
      .map((target) => `${name} may import ${target}, which does not stand above it`),
  );
}

function partOf(file: string): Part | null {
  return parts.find((part) => part.files.test(file)) ?? null;
}

/** The file an import names, or null for platform modules and packages. */
function resolveImport(file: string, specifier: string): string | null {
  const alias = /^#(conductor|simulator)\/(.+)$/.exec(specifier);
  if (alias !== null) return `${alias[1]}/${alias[2]}.ts`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : null;
}

function checkArrow(part: Part, target: string): string | null {
  const targetPart = partOf(target);
  if (targetPart === null) return 'the target belongs to no part of the house';
  const isAllowed = targetPart.name === part.name || part.mayImport.includes(targetPart.name);
  return isAllowed ? null : `there is no arrow from ${part.name} to ${targetPart.name}`;
}

function checkPackage(part: Part, specifier: string): string | null {
  if (part.mayUse === 'anything') return null;
  if (specifier === COMPUTED) return `${part.name} may not import what is only known at run time`;
  if (part.mayUse.includes(specifier)) return null;
  return `${part.name} may use no platform module and no package but ${part.mayUse.join(', ')}`;
}

function withoutKnown(edges: Edges): Edges {
  const isKnown = (file: string, imported: string): boolean =>
    knownCycles.some(([from, to]) => from === file && to === imported);
  return new Map([...edges].map(([file, targets]) => [file, targets.filter((target) => !isKnown(file, target))]));
}

/** Whether imports lead from one file to another. */
function leadsTo(edges: Edges, from: string, to: string): boolean {
  const seen = new Set<string>();
  const left = [from];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (file === to) return true;
    if (seen.has(file)) continue;
    seen.add(file);
    left.push(...(edges.get(file) ?? []));
  }
  return false;
}

/** One sentence per cycle, found by depth-first search. */
function findCycles(edges: Edges): string[] {
  const cycles: string[] = [];
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const start = path.indexOf(file);
    if (start >= 0) {
      cycles.push(`cycle: ${[...path.slice(start), file].join(' → ')}`);
      return;
    }
    if (finished.has(file)) return;
    path.push(file);
    for (const target of edges.get(file) ?? []) visit(target);
    path.pop();
    finished.add(file);
  };
  for (const file of edges.keys()) visit(file);
  return cycles;
}
