import { existsSync, globSync, readFileSync } from 'node:fs'
import { type Language } from '../../domain/shared/language.ts'

/** One text for each of the forms in which a language counts. */
export type Forms = Readonly<{ [category: string]: string }>

/** What a language says for a sentence of the source: one text, or one for each form in which it counts. */
export type Translation = string | Forms

/** The sentences of the server, which are only known when it says them: the page looks them up itself. */
const SERVER = 'server.json'

/** The files in which a language keeps what it says for the sentences of the source. */
export const catalogueFiles = (language: Language): string[] =>
  globSync(`web/i18n/${language}/*.json`)
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith(`/${SERVER}`))
    .sort()

/** One file of a catalogue, by sentence. */
export const readCatalogueFile = (path: string): Readonly<{ [key: string]: Translation }> =>
  // Every file of this folder is written so; a test of its own looks at each entry.
  JSON.parse(readFileSync(path, 'utf8')) as { [key: string]: Translation }

/** All that a language says, by sentence. */
export const readCatalogue = (language: Language): ReadonlyMap<string, Translation> =>
  new Map(catalogueFiles(language).flatMap((path) => Object.entries(readCatalogueFile(path))))

/** What a language says for the sentences of the server. */
export function readServerCatalogue(language: Language): ReadonlyMap<string, Translation> {
  const path = `web/i18n/${language}/${SERVER}`
  return new Map(existsSync(path) ? Object.entries(readCatalogueFile(path)) : [])
}
