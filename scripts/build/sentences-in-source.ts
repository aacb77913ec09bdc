import { globSync, readFileSync } from 'node:fs'
import { type Sentence, sentencesIn } from './parse-sentences.ts'
import { statementsIn } from './parse-statements.ts'

/** A sentence with the part of `web/` that says it; the file of a catalogue is named like it. */
export type SourceSentence = Sentence & { readonly area: string; readonly paths: readonly string[] }

/** `web/features/records/x.tsx` belongs to records, `web/pages/x.tsx` to pages. */
const areaOf = (path: string): string =>
  /^web\/(?:features|shared(?=\/(?:files|uploads|conditions)\/)|ui(?=\/(?:grid|editor)\/))\/([\w-]+)\//.exec(
    path,
  )?.[1] ??
  /^web\/([\w-]+)\//.exec(path)?.[1] ??
  'common'

/** Every sentence of `web/` once; one that several areas say belongs to `common`. */
export function sentencesInSource(): readonly SourceSentence[] {
  const said = new Map<string, SourceSentence>()
  const paths = globSync('web/**/*.{ts,tsx}').map((path) => path.replaceAll('\\', '/'))
  for (const path of paths.filter((one) => !one.includes('.test.')).sort()) {
    const here = areaOf(path)
    for (const sentence of sentencesIn(path, readFileSync(path, 'utf8'))) {
      const { area = here, paths: before = [] } = said.get(sentence.key) ?? {}
      said.set(sentence.key, { ...sentence, area: area === here ? here : 'common', paths: [...before, path] })
    }
  }
  return [...said.values()]
}

/** Every sentence that the domain or the server says to people, with the file of a catalogue that knows it. */
export function statementsInSource(root: 'domain' | 'server'): ReadonlySet<string> {
  const paths = globSync(`${root}/**/*.ts`).map((path) => path.replaceAll('\\', '/'))
  const shipped = paths.filter((path) => !path.includes('.test.')).sort()
  return new Set(shipped.flatMap((path) => statementsIn(path, readFileSync(path, 'utf8')).map(({ key }) => key)))
}
