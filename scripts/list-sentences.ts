/** `node scripts/list-sentences.ts --missing de` prints untranslated strings by area as JSON to fill in. */
import { toLanguage } from '#domain/shared/language.ts'
import { readCatalogue, readServerCatalogue } from './build/catalogue.ts'
import { sentencesInSource, statementsInSource } from './build/sentences-in-source.ts'

const language = toLanguage(process.argv[process.argv.indexOf('--missing') + 1])
if (!language || !process.argv.includes('--missing')) {
  console.error('Name a language: node scripts/list-sentences.ts --missing de [area …]')
  process.exit(1)
}
const known = new Map([...readCatalogue(language), ...readServerCatalogue(language)])
const areas = process.argv.slice(process.argv.indexOf(language) + 1)
const missing: { [area: string]: { [key: string]: string | { readonly one: string; readonly other: string } } } = {}
for (const { key, area, one, text } of sentencesInSource()) {
  if (known.has(key) || (areas.length > 0 && !areas.includes(area))) continue
  const sentences = (missing[area] ??= {})
  sentences[key] = one === undefined ? '' : { one: one.text, other: text }
}
for (const root of ['domain', 'server'] as const) {
  if (areas.length > 0 && !areas.includes(root)) continue
  const untranslated = [...statementsInSource(root)].filter((key) => !known.has(key))
  if (untranslated.length > 0) missing[root] = Object.fromEntries(untranslated.map((key) => [key, '']))
}
console.log(JSON.stringify(missing, null, 2))
