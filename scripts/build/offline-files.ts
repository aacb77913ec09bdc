import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

type Chunk = {
  readonly type: 'chunk'
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
  readonly moduleIds: readonly string[]
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string>; readonly importedAssets: ReadonlySet<string> }
}
type Bundle = { readonly [file: string]: Chunk | { readonly type: 'asset' } }

const START = '/web/app/main.tsx'

/** Fonts for rare characters; without them, system fonts are used. */
const RARE = /-latin-ext-/

/** Pages and features that only work online. */
const ONLINE_ONLY =
  /\/web\/(?:pages\/(?:settings|account|frame\/api-docs)|features\/(?:roles|users|import|api-docs|tours))/

const isOnlineOnly = ({ moduleIds }: Chunk): boolean =>
  moduleIds.length > 0 && moduleIds.every((id) => ONLINE_ONLY.test(id))

/** Files that the app needs offline: everything reachable from its entry point. */
export function offlineFiles(bundle: Bundle): readonly string[] {
  const files = new Set<string>()
  const take = (file: string): void => {
    const chunk = bundle[file]
    if (files.has(file) || chunk?.type !== 'chunk' || isOnlineOnly(chunk)) return
    files.add(file)
    for (const other of [...(chunk.viteMetadata?.importedCss ?? []), ...(chunk.viteMetadata?.importedAssets ?? [])])
      files.add(other)
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) take(next)
  }
  for (const [file, chunk] of Object.entries(bundle))
    if (chunk.type === 'chunk' && chunk.moduleIds.some((id) => id.endsWith(START))) take(file)
  return [...files].filter((file) => !RARE.test(file)).map((file) => `/${file}`)
}

/** Writes a service worker precache manifest for each language. */
export function writeOfflineFiles(): Plugin {
  return {
    name: 'offline-files',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const language = this.environment.name === 'client' ? 'en' : this.environment.name
      const files = offlineFiles(bundle)
      await writeFile(join(dir ?? '.', `offline-files.${language}.json`), JSON.stringify(files))
    },
  }
}
