import { expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'

/** A file matching `from` must not import what `not` recognises; captures of `from` are handed to it. */
type Law = {
  readonly name: string
  readonly from: RegExp
  readonly not: (found: RegExpMatchArray, to: string) => boolean
}

const isOurs = (to: string) => /^(?:domain|api|server|web|tests|scripts)\//.test(to)

/** The rungs of `web/`, lowest first; a file may import its own rung and what is below. */
const WEB_RUNGS = ['language', 'kit', 'client', 'fields', 'features', 'pages', 'app']

const rungOf = (path: string) => WEB_RUNGS.indexOf(/^web\/([^/]+)\//.exec(path)?.[1] ?? '')

/** The folders of `server/` that stand below the features and know none of them. */
const isBelowFeatures = (path: string) => /^server\/(?:http|query|storage|database)\//.test(path)

/** Libraries that have exactly one door in `web/`; everything else goes through that door. */
const DOORS: readonly { readonly library: RegExp; readonly door: RegExp }[] = [
  { library: /^react-toastify/, door: /^web\/kit\/toast\// },
  { library: /^viewerjs/, door: /^web\/kit\/image-viewer\// },
  { library: /^@tiptap\//, door: /^web\/kit\/(?:editor\/|document-view)/ },
  { library: /^idb-keyval/, door: /^web\/client\/(?:uploads\/|draft-shelf)/ },
  { library: /^@tanstack\/react-(?:table|virtual)/, door: /^web\/kit\// },
]

const LAWS: readonly Law[] = [
  { name: 'domain imports only domain and zod', from: /^domain\//, not: (_, to) => !/^domain\/|^zod$/.test(to) },
  { name: 'api imports only api, domain and zod', from: /^api\//, not: (_, to) => !/^(?:api|domain)\/|^zod$/.test(to) },
  { name: 'server never meets web', from: /^server\//, not: (_, to) => /^(?:web|tests|scripts)\//.test(to) },
  { name: 'web never meets server', from: /^web\//, not: (_, to) => /^(?:server|tests|scripts)\/|^node:/.test(to) },
  {
    name: 'kit imports nothing of ours but its language and the constants of the specification',
    from: /^web\/kit\//,
    not: (_, to) => isOurs(to) && !/^web\/(?:kit|language)\/|^domain\/specification\.ts$/.test(to),
  },
  {
    name: 'web only looks down: app, pages, features, fields, client, kit, language',
    from: /^(web\/[^/]+\/)/,
    not: ([, own = ''], to) => rungOf(to) > rungOf(own),
  },
  {
    name: 'features do not import one another',
    from: /^web\/features\/([^/]+)\//,
    not: ([, own], to) => to.startsWith('web/features/') && !to.startsWith(`web/features/${own}/`),
  },
  {
    name: 'every interface library stands behind its one door',
    from: /^(web\/.+)/,
    not: ([, own = ''], to) => DOORS.some(({ library, door }) => library.test(to) && !door.test(own)),
  },
  {
    name: 'http, query, storage and database know no feature',
    from: /^server\/(?:http|query|storage|database)\//,
    not: (_, to) => /^server\/[^/]+\//.test(to) && !isBelowFeatures(to),
  },
  {
    name: 'database and storage are the ground: they import no other folder of the server',
    from: /^server\/(database|storage)\//,
    not: ([, own], to) => /^server\/[^/]+\//.test(to) && !to.startsWith(`server/${own}/`),
  },
  {
    name: 'only the ways in import what wires everything together',
    from: /^server\/(?!main\.ts|cli\.ts|compose\.ts)/,
    not: (_, to) => /^server\/(?:compose|compose-accounts|main|cli)\.ts$/.test(to),
  },
  {
    name: 'stores are private to their folder',
    from: /^server\/([^/]+)\//,
    not: ([, own], to) => /^server\/[^/]+\/(?:[^/]+-)?store\.ts$/.test(to) && !to.startsWith(`server/${own}/`),
  },
  {
    name: 'only database, query and stores speak SQL',
    from: /^server\/(?!database\/|query\/)(?!.*[/-]store\.ts$)/,
    not: (_, to) => to === 'kysely',
  },
  {
    name: 'only database opens the drivers',
    from: /^server\/(?!database\/)/,
    not: (_, to) => to === 'pg' || to === 'better-sqlite3',
  },
]

test.each(LAWS)('$name', ({ from, not }) => {
  const broken = sourceFiles.flatMap(({ path, imports }) => {
    const found = path.match(from)
    return found ? imports.filter((to) => not(found, to)).map((to) => `${path} → ${to}`) : []
  })
  expect(broken).toEqual([])
})
