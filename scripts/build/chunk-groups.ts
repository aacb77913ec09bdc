import { dirname, join } from 'node:path'

type ModuleInfo = {
  readonly importedIds: readonly string[]
  readonly dynamicallyImportedIds?: readonly string[]
  readonly code?: string | null
}
type Modules = { readonly getModuleInfo: (id: string) => ModuleInfo | null }

type ChunkGroup = {
  readonly name: string
  /** Entry modules of this chunk, which also includes everything that they import statically. */
  readonly from?: readonly string[]
  /** Includes only modules that one of these chunks also needs. */
  readonly sharedWith?: readonly string[]
  /** Includes modules that these chunks import dynamically, which a page loads when idle. */
  readonly laterIn?: readonly string[]
  /** Includes only modules whose path matches. */
  readonly matching?: RegExp
}

const LIST = '/web/pages/records/records-page.tsx'
const RECORD = '/web/pages/records/record-page.tsx'
const HOME = '/web/pages/home/home-page.tsx'
/** Input components; bundled with the record page, although each field type imports its own dynamically. */
const INPUTS = /\/web\/field-kinds\/[\w-]+\/input\.tsx$/

/**
 * Chunks of the first pages, in order: a module belongs to the first group that needs it. By default, the bundler
 * creates a chunk for every set of modules shared by some pages, and a list would load two hundred chunks.
 */
const CHUNK_GROUPS: readonly ChunkGroup[] = [
  { name: 'first', from: ['/web/app/main.tsx', '/web/pages/guest/login-page.tsx'] },
  { name: 'inside', from: ['/web/app/frame/shell.tsx'] },
  { name: 'records', from: [LIST], sharedWith: [RECORD, HOME] },
  { name: 'list', from: [LIST] },
  { name: 'cards', from: ['/web/views/cards/card-list.tsx'] },
  {
    name: 'list-extras',
    from: ['/web/views/listing/decorations/list-decorations.tsx', '/web/shared/collection-icon/collection-icons.ts'],
  },
  { name: 'forms', from: [RECORD], laterIn: ['records'], matching: INPUTS, sharedWith: [HOME] },
  { name: 'record', from: [RECORD], laterIn: ['records'], matching: INPUTS },
  {
    name: 'editing',
    from: ['/web/shared/cell-editing/cell-actions.ts', '/web/shared/validation-rules/rule-checker.ts'],
  },
  { name: 'home', from: [HOME] },
  // Separate chunk, because the sign-in page loads it when idle; as part of 'frame-later', it would load most of the
  // app.
  { name: 'toast', from: ['/web/ui/toast/toaster.tsx', '/web/ui/toast/show-toast.tsx'] },
  { name: 'board', from: ['/web/views/board/board.tsx'] },
  { name: 'dates', from: ['/web/views/calendar/calendar.tsx', '/web/views/timeline/timeline.tsx'] },
  { name: 'frame-later', laterIn: ['first', 'inside', 'home'] },
  { name: 'chart', from: ['/web/views/chart/chart-figure.tsx', '/web/views/chart/chart-options.tsx'] },
  { name: 'list-later', laterIn: ['list', 'list-extras'] },
  { name: 'cell-editors', laterIn: ['records'], matching: /\/web\/field-kinds\/[\w-]+\/(?:cell|text)-editor\.tsx$/ },
  { name: 'field-options', laterIn: ['records'], matching: /\/web\/field-kinds\/[\w-]+\/options\.tsx$/ },
]

/**
 * Modules in separate chunks: pages, the text editor, the file viewer, code that the sign-in page may need, the data
 * layer, and the bars that report a missing chunk.
 */
const OWN_CHUNK =
  /\/@simplewebauthn\/|\/web\/(?:data\/|i18n\/|pages\/|ui\/editor\/|ui\/file-viewer\/|features\/auth\/|features\/tours\/|app\/prefetch|app\/frame\/(?:status|session)-bars)/

const ANY = /^/

/**
 * Barrel file that imports every component of a library; a module needs only the components that it imports by name.
 */
const BARREL = /\/(@mantine\/(?:core|hooks))\/esm\/index\.mjs$/
const NAMED_IMPORTS = /import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g

/** Defines one bundler group per chunk; earlier groups claim their modules first. */
export function chunkGroups(root: string) {
  let found: ReadonlyMap<string, string> | undefined
  return CHUNK_GROUPS.map(({ name }, at) => ({
    priority: CHUNK_GROUPS.length - at,
    name: (id: string, modules: Modules): string | null =>
      (found ??= findChunkGroups(root, modules)).get(id) === name ? name : null,
  }))
}

function findChunkGroups(root: string, modules: Modules): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const closureOf = (from: readonly string[]): ReadonlySet<string> => {
    const closure = new Set<string>()
    const waiting = [...from]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (closure.has(id)) continue
      closure.add(id)
      waiting.push(...importsOf(id, modules))
    }
    return closure
  }
  const dynamicImportsOf = (names: readonly string[], matching: RegExp): string[] =>
    [...found]
      .filter(([, name]) => names.includes(name))
      .flatMap(([id]) => modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
      .filter((id) => !OWN_CHUNK.test(id) && matching.test(id))
  for (const { name, from = [], sharedWith, laterIn = [], matching = ANY } of CHUNK_GROUPS) {
    const other = sharedWith === undefined ? undefined : closureOf(sharedWith.map((path) => root + path))
    for (const id of closureOf([...from.map((path) => root + path), ...dynamicImportsOf(laterIn, matching)])) {
      if (!found.has(id) && (other?.has(id) ?? true)) found.set(id, name)
    }
  }
  return found
}

/** Modules that a module imports; for a barrel file, only those of the imported names. */
function importsOf(id: string, modules: Modules): readonly string[] {
  const { importedIds = [], code } = modules.getModuleInfo(id) ?? {}
  return importedIds.flatMap((imported) => {
    const library = BARREL.exec(imported)?.[1]
    if (library === undefined) return imported
    const used = new Set(namedImports(code).flatMap(({ names, from }) => (from === library ? names : [])))
    return namedImports(modules.getModuleInfo(imported)?.code).flatMap(({ names, from }) =>
      names.some((name) => used.has(name)) ? join(dirname(imported), from) : [],
    )
  })
}

const namedImports = (code: string | null | undefined) =>
  [...(code ?? '').matchAll(NAMED_IMPORTS)].map(([, names = '', from = '']) => ({
    names: names.split(',').map((name) => name.split(/\sas\s/)[0]?.trim() ?? ''),
    from,
  }))
