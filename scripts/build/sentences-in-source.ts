import { globSync, readFileSync } from 'node:fs'
import { type Sentence, sentencesIn } from './parse-sentences.ts'
import { statementsIn } from './parse-statements.ts'

/** A UI string and the area of `web/` that uses it; the area is also the catalog file name. */
export type SourceSentence = Sentence & { readonly area: string; readonly paths: readonly string[] }

/** Maps `web/features/records/x.tsx` to `records` and `web/pages/x.tsx` to `pages`. */
const areaOf = (path: string): string =>
  /^web\/(?:features|shared(?=\/(?:files|uploads|conditions)\/)|ui(?=\/(?:grid|editor)\/))\/([\w-]+)\//.exec(
    path,
  )?.[1] ??
  /^web\/([\w-]+)\//.exec(path)?.[1] ??
  'common'

/** UI strings in `web/`, each listed once; those used in several areas belong to `common`. */
export function sentencesInSource(): readonly SourceSentence[] {
  const sentences = new Map<string, SourceSentence>()
  const paths = globSync('web/**/*.{ts,tsx}').map((path) => path.replaceAll('\\', '/'))
  for (const path of paths.filter((one) => !one.includes('.test.')).sort()) {
    const here = areaOf(path)
    for (const sentence of sentencesIn(path, readFileSync(path, 'utf8'))) {
      const { area = here, paths: before = [] } = sentences.get(sentence.key) ?? {}
      sentences.set(sentence.key, { ...sentence, area: area === here ? here : 'common', paths: [...before, path] })
    }
  }
  return [...sentences.values()]
}

/** Message keys used in `domain/` or `server/`. */
export function statementsInSource(root: 'domain' | 'server'): ReadonlySet<string> {
  const paths = globSync(`${root}/**/*.ts`).map((path) => path.replaceAll('\\', '/'))
  const shipped = paths.filter((path) => !path.includes('.test.')).sort()
  return new Set(shipped.flatMap((path) => statementsIn(path, readFileSync(path, 'utf8')).map(({ key }) => key)))
}
