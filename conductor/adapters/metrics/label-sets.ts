/**
 * What is kept of one metric family per label set. The client library checks and joins labels at every call, which at
 * thousands of calls per second costs more than the calls; here the object of labels leads to its series.
 */

export type Labels = Readonly<Record<string, string>>;

/** Distinct label sets kept per family; further ones are one, `other`, so memory stays bounded. */
export const labelSetsMax = 500;

/** Gives each label set its series; the label names of a family are always the same, in the same order. */
export class LabelSets<Series> {
  readonly #create: (labels: Labels) => Series;
  readonly #byValues = new Map<string, Series>();
  /** Callers that pass the same object again are not asked for its values. */
  readonly #byObject = new WeakMap<Labels, Series>();
  #other: Series | null = null;

  constructor(create: (labels: Labels) => Series) {
    this.#create = create;
  }

  /** The series of these labels. */
  of(labels: Labels): Series {
    const known = this.#byObject.get(labels);
    if (known !== undefined) return known;
    const found = this.#find(labels);
    this.#byObject.set(labels, found);
    return found;
  }

  /** All there are, in the order in which they came; what was beyond the bound last. */
  *all(): Generator<Series> {
    yield* this.#byValues.values();
    if (this.#other !== null) yield this.#other;
  }

  #find(labels: Labels): Series {
    const key = Object.values(labels).join('\u0000');
    const known = this.#byValues.get(key);
    if (known !== undefined) return known;
    if (this.#byValues.size >= labelSetsMax) {
      this.#other ??= this.#create(Object.fromEntries(Object.keys(labels).map((name) => [name, 'other'])));
      return this.#other;
    }
    const series = this.#create(labels);
    this.#byValues.set(key, series);
    return series;
  }
}
