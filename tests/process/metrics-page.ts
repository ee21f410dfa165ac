/** A Prometheus page in the text format, taken apart for tests. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export class MetricsPage {
  readonly contentType: string;
  /** Type by family. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];

  constructor(contentType: string, text: string) {
    this.contentType = contentType;
    const lines = text.split('\n').filter((line) => line !== '');
    this.types = new Map(
      lines
        .filter((line) => line.startsWith('# TYPE '))
        .map((line) => line.slice('# TYPE '.length).split(' ') as [string, string]),
    );
    this.samples = lines.filter((line) => !line.startsWith('#')).map(sampleOf);
  }

  static async of(port: number): Promise<MetricsPage> {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(10_000) });
    return new MetricsPage(response.headers.get('content-type') ?? '', await response.text());
  }

  /** Samples of a family, those of a histogram's parts too. */
  family(name: string): Sample[] {
    return this.samples.filter(
      (sample) => sample.name.replace(/_(bucket|sum|count)$/, '') === name || sample.name === name,
    );
  }

  /** Sum of the samples of a name with these labels; 0 where there is none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const fits = (sample: Sample): boolean =>
      Object.entries(labels).every(([key, text]) => sample.labels[key] === text);
    return this.samples
      .filter((sample) => sample.name === name && fits(sample))
      .reduce((sum, sample) => sum + sample.value, 0);
  }
}

/** Throws on a line that Prometheus could not read. */
function sampleOf(line: string): Sample {
  const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`not a sample: ${line}`);
  const pairs = [...labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text]);
  return {
    name,
    labels: Object.fromEntries(pairs) as Record<string, string>,
    value: value === 'Nan' ? NaN : Number(value),
  };
}
