import { existsSync, globSync, readFileSync } from 'node:fs'
import { type Language } from '../../domain/shared/language.ts'

/** Messages by plural category. */
export type Forms = Readonly<{ [category: string]: string }>

export type Translation = string | Forms

/** Server messages are translated at run time. */
const SERVER = 'server.json'

/** Catalog files whose strings are translated at build time. */
export const catalogueFiles = (language: Language): string[] =>
  globSync(`web/i18n/${language}/*.json`)
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith(`/${SERVER}`))
    .sort()

export const readCatalogueFile = (path: string): Readonly<{ [key: string]: Translation }> =>
  // Safe because `catalogues.test.ts` validates each entry.
  JSON.parse(readFileSync(path, 'utf8')) as { [key: string]: Translation }

export const readCatalogue = (language: Language): ReadonlyMap<string, Translation> =>
  new Map(catalogueFiles(language).flatMap((path) => Object.entries(readCatalogueFile(path))))

export function readServerCatalogue(language: Language): ReadonlyMap<string, Translation> {
  const path = `web/i18n/${language}/${SERVER}`
  return new Map(existsSync(path) ? Object.entries(readCatalogueFile(path)) : [])
}
