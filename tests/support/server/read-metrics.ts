export type ReadSample = {
  readonly name: string
  readonly labels: { readonly [name: string]: string }
  readonly value: number
}

export type ReadMetric = { readonly type: string; readonly help: string; readonly samples: readonly ReadSample[] }

const HEAD = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN|\+Inf)$/
const LABELS = /^(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\["\\n])*"(?:,|$))*$/

const ENDINGS: { readonly [type: string]: readonly string[] } = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
}

function labelsIn(text: string): { [name: string]: string } {
  if (!LABELS.test(text)) throw new Error(`These are no labels: ${text}`)
  const found = [...text.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"/g)]
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]))
}

type Reading = { readonly found: Map<string, Mutable>; readonly seen: Set<string>; current: string }
type Mutable = { type: string; help: string; samples: ReadSample[] }

function takeHead({ found }: Reading, [kind, name, rest]: readonly [string, string, string]): void {
  if (kind === 'HELP' && found.has(name)) throw new Error(`${name} occurs twice.`)
  if (kind === 'HELP') found.set(name, { type: '', help: rest, samples: [] })
  const metric = found.get(name)
  if (!metric) throw new Error(`The type of ${name} comes before its help.`)
  if (kind === 'TYPE') metric.type = rest
}

function takeSample({ found, seen, current }: Reading, line: string): void {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
  const metric = found.get(current)
  const belongs = name.startsWith(current) && ENDINGS[metric?.type ?? '']?.includes(name.slice(current.length))
  if (!metric || !belongs) throw new Error(`This line has no right to be here: ${line}`)
  const series = `${name}{${labels}}`
  if (seen.has(series)) throw new Error(`This series occurs twice: ${line}`)
  seen.add(series)
  metric.samples.push({ name, labels: labelsIn(labels), value: Number(value.replace('Inf', 'Infinity')) })
}

/** Parses the Prometheus text format; throws if a line is invalid. */
export function readMetrics(text: string): ReadonlyMap<string, ReadMetric> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  const reading: Reading = { found: new Map(), seen: new Set(), current: '' }
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name, rest] = HEAD.exec(line) ?? []
    if (kind === undefined || name === undefined || rest === undefined) takeSample(reading, line)
    else {
      takeHead(reading, [kind, name, rest])
      reading.current = name
    }
  }
  return reading.found
}
