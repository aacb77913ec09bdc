/** What is asked of the build about one module. */
type Modules = { readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null }

/** Pages whose scripts come together, each layer on top of those before it. */
const CHUNK_GROUPS: readonly { readonly name: string; readonly from: readonly string[] }[] = [
  { name: 'first', from: ['/web/app/main.tsx', '/web/pages/guest/login-page.tsx'] },
  { name: 'inside', from: ['/web/app/frame/shell.tsx'] },
]

/** It names every component there is, needed or not. */
const BARREL = /@mantine\/(?:core|hooks)\/esm\/index\.mjs$/

/**
 * Which file a module belongs into. Left alone, the build makes a file of every set of modules that some pages share: the
 * page that asks for a password needed fifty of them, each with names of its own for what it gives and takes.
 */
export function chunkGroupsOf(root: string): (id: string, modules: Modules) => string | null {
  let layers: ReadonlyMap<string, string> | undefined
  return (id, modules) => (layers ??= findChunkGroups(root, modules)).get(id) ?? null
}

function findChunkGroups(root: string, modules: Modules): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { name, from } of CHUNK_GROUPS) {
    const waiting = from.map((path) => root + path)
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (found.has(id) || BARREL.test(id)) continue
      found.set(id, name)
      waiting.push(...(modules.getModuleInfo(id)?.importedIds ?? []))
    }
  }
  return found
}
