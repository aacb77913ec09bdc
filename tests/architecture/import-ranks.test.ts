import { expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'

/** Files that match `from` must not import anything that matches `not`, which can use the captures from `from`. */
type ImportRule = {
  readonly name: string
  readonly from: RegExp
  readonly not: (found: RegExpMatchArray, to: string) => boolean
}

const isOurs = (to: string) => /^(?:domain|api|server|web|tests|scripts|bench)\//.test(to)

/** Imports allowed in the lowest folders of `domain/`. */
const LOWEST_OF_DOMAIN: { readonly [folder: string]: RegExp } = {
  'rich-text': /^domain\/(?:rich-text|shared)\/|^domain\/specification\.ts$/,
  uploads: /^domain\/(?:uploads|shared)\//,
  fields: /^domain\/(?:fields|uploads|rich-text|shared)\//,
}

/** Layers of `web/`, lowest first; a file may import its own layer and lower ones. */
const WEB_LAYERS = ['i18n', 'ui', 'data', 'shared', 'field-kinds', 'views', 'features', 'pages', 'app']

const layerOf = (path: string) => WEB_LAYERS.indexOf(/^web\/([^/]+)\//.exec(path)?.[1] ?? '')

/** The areas of `server/`, lowest first. */
const SERVER_AREAS = [
  'platform',
  'query',
  'access',
  'identity',
  'records',
  'schema',
  'files',
  'transfer',
  'operations',
  'http',
  'composition',
]

/** Files next to the area folders wire the areas together. */
const areaOf = (path: string): string => /^server\/([^/]+)\//.exec(path)?.[1] ?? 'composition'

const serverRank = (path: string): number => (path.startsWith('server/') ? SERVER_AREAS.indexOf(areaOf(path)) : -1)

/** Stores that a higher area may write to, because lower areas read or queue the changes. */
const SHARED_STORES: { readonly [store: string]: string } = {
  'server/query/definitions/store.ts': 'schema',
  'server/access/rights/roles-store.ts': 'schema',
  'server/records/jobs/store.ts': 'schema',
  'server/platform/mail/outbox-store.ts': 'identity',
}

/** Libraries that may be imported in only one folder of `web/`. */
const SINGLE_USERS: readonly { readonly library: RegExp; readonly user: RegExp }[] = [
  { library: /^react-toastify/, user: /^web\/ui\/toast\// },
  { library: /^viewerjs/, user: /^web\/ui\/image-viewer\// },
  { library: /^@tiptap\//, user: /^web\/ui\/(?:editor\/|document\/document-view)/ },
  { library: /^idb-keyval/, user: /^web\/data\/(?:uploads\/persistence\/|storage\/draft-storage|offline\/|unsent\/)/ },
  { library: /^@tanstack\/react-(?:table|virtual)/, user: /^web\/ui\// },
]

const RULES: readonly ImportRule[] = [
  { name: 'domain imports only domain and zod', from: /^domain\//, not: (_, to) => !/^domain\/|^zod$/.test(to) },
  {
    name: 'fields, rich text and uploads import nothing of the domain that is built on them',
    from: /^domain\/(fields|rich-text|uploads)\//,
    not: ([, own = ''], to) => to.startsWith('domain/') && !LOWEST_OF_DOMAIN[own]?.test(to),
  },
  { name: 'api imports only api, domain and zod', from: /^api\//, not: (_, to) => !/^(?:api|domain)\/|^zod$/.test(to) },
  { name: 'server does not import web', from: /^server\//, not: (_, to) => /^(?:web|tests|scripts|bench)\//.test(to) },
  {
    name: 'web does not import server',
    from: /^web\//,
    not: (_, to) => /^(?:server|tests|scripts|bench)\/|^node:/.test(to),
  },
  {
    name: 'ui imports only i18n and the constants of the specification',
    from: /^web\/ui\//,
    not: (_, to) => isOurs(to) && !/^web\/(?:ui|i18n)\/|^domain\/specification\.ts$/.test(to),
  },
  {
    name: 'web imports only downwards: app, pages, features, views, field-kinds, shared, data, ui, i18n',
    from: /^(web\/[^/]+\/)/,
    not: ([, own = ''], to) => layerOf(to) > layerOf(own),
  },
  {
    name: 'features do not import one another',
    from: /^web\/features\/([^/]+)\//,
    not: ([, own], to) => to.startsWith('web/features/') && !to.startsWith(`web/features/${own}/`),
  },
  {
    name: 'every interface library is imported in one folder only',
    from: /^(web\/.+)/,
    not: ([, own = ''], to) => SINGLE_USERS.some(({ library, user }) => library.test(to) && !user.test(own)),
  },
  {
    name: 'an area of the server imports only its own and lower areas',
    from: /^(server\/.+)/,
    not: ([, path = ''], to) => serverRank(to) > serverRank(path),
  },
  {
    name: 'stores are private to their area, except the shared ones',
    from: /^server\/([^/]+)\/.+/,
    not: ([, area = ''], to) =>
      /^server\/.+[/-]store\.ts$/.test(to) && !to.startsWith(`server/${area}/`) && SHARED_STORES[to] !== area,
  },
  {
    name: 'only the database, the query area and stores write SQL',
    from: /^server\/(?!platform\/database\/|query\/)(?!.*[/-]store\.ts$)/,
    not: (_, to) => to === 'kysely',
  },
  {
    name: 'only the database opens the drivers',
    from: /^server\/(?!platform\/database\/)/,
    not: (_, to) => to === 'pg' || to === 'better-sqlite3',
  },
]

test.each(RULES)('$name', ({ from, not }) => {
  const broken = sourceFiles.flatMap(({ path, imports }) => {
    const found = path.match(from)
    return found ? imports.filter((to) => not(found, to)).map((to) => `${path} → ${to}`) : []
  })
  expect(broken).toEqual([])
})
