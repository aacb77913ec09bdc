import type { WorldCollection, WorldField } from '#tests/access-oracle/world/world.ts'

export type Target = {
  readonly collections: readonly Place[]
  readonly collection: string
  readonly record: string | null
  readonly field: string | null
  readonly values: readonly Literal[]
  readonly files: readonly string[]
}

/** Earlier entries of logs contain unrelated secrets. */
export type LogStart = {
  /** Start time of the world. */
  readonly since: string
  /** The end of the change log before the secret was planted. */
  readonly after: string
}

type Literal = string | number | boolean

export type Place = Pick<WorldCollection, 'name'> & {
  readonly fields: readonly Pick<WorldField, 'name' | 'kind' | 'target'>[]
}

export type Probe = { readonly method: 'GET' | 'HEAD' | 'POST'; readonly path: string; readonly body?: object }

const get = (path: string, parts: Readonly<Record<string, string>> = {}): Probe => {
  const query = new URLSearchParams(parts).toString()
  return { method: 'GET', path: query === '' ? path : `${path}?${query}` }
}

/** Every kind of read request for a secret: by its field, value, record and files. */
export function probesOf(target: Target, { since, after }: LogStart): readonly Probe[] {
  return [
    ...target.collections.flatMap(({ name }) => ofWhole(name)),
    ...ofField(target),
    ...ofRelations(target),
    ...ofValues(target),
    ...ofRecord(target),
    ...target.files.flatMap(ofFile),
    ...OF_WORKSPACE,
    ...['/api/audit', '/api/audit.csv'].map((path) => get(path, { from: since })),
    get('/api/changes', { after, limit: '500' }),
    ...target.collections.map(({ name }) => get('/api/changes', { after, collection: name })),
    ...ofEarlierTime(target, since),
  ]
}

/** The state before the secret was planted. */
function ofEarlierTime({ collections, collection, record, field, values }: Target, at: string): readonly Probe[] {
  const home = `/api/collections/${collection}`
  return [
    ...collections.flatMap(({ name }) => {
      const list = `/api/collections/${name}`
      return [
        get(`${list}/records`, { expand: '*', perPage: '500', count: 'exact', at }),
        get(`${list}/sums`, { at }),
        get(`${list}/export.csv`, { at }),
      ]
    }),
    ...(record === null ? [] : [get(`${home}/records/${record}`, { expand: '*', at })]),
    ...(field === null
      ? []
      : [
          get(`${home}/records`, { sort: field, perPage: '500', at }),
          get(`${home}/groups`, { by: field, at }),
          get(`${home}/records`, { filter: `${field} is empty`, count: 'exact', at }),
        ]),
    ...values.map((value) => get(`${home}/records`, { search: String(value).slice(0, 40), count: 'exact', at })),
  ]
}

const OF_WORKSPACE: readonly Probe[] = [
  ...['/api/collections', '/api/openapi.json', '/api/home/counts', '/api/home/moves', '/api/people?perPage=500'].map(
    (path) => get(path),
  ),
  ...[
    '/api/jobs',
    '/api/auth/user',
    '/api/favourites',
    '/api/trash',
    '/api/activity',
    '/api/activity?kind=collection-changed',
    '/api/views',
    '/api/dashboards',
    '/api/workspace/storage',
  ].map((path) => get(path)),
]

function ofWhole(name: string): readonly Probe[] {
  const home = `/api/collections/${name}`
  return [
    get(home),
    get(`${home}/views`),
    get(`${home}/search-index`),
    get(`${home}/indexes`),
    get(`${home}/records`, { expand: '*', perPage: '500', count: 'exact' }),
    { method: 'HEAD', path: `${home}/records` },
    get(`${home}/sums`),
    get(`${home}/export.csv`),
    get(`${home}/files.zip`),
    { method: 'POST', path: `${home}/records/bulk/count`, body: { where: {} } },
  ]
}

function ofField({ collection, field }: Target): readonly Probe[] {
  if (field === null) return []
  const home = `/api/collections/${collection}`
  return [
    ...[`${field} is empty`, `${field} is not empty`].map((filter) =>
      get(`${home}/records`, { filter, count: 'exact' }),
    ),
    ...[field, `-${field}`].map((sort) => get(`${home}/records`, { sort, perPage: '500' })),
    get(`${home}/records`, { fields: field }),
    get(`${home}/records`, { expand: field }),
    ...[field, `${field}:month`].map((by) => get(`${home}/groups`, { by })),
    get(`${home}/days`, { by: field, from: '2026-03-01', days: '3' }),
    ...['sum', 'avg', 'min', 'max'].map((figure) => get(`${home}/sums`, { aggregates: `${figure}(${field})` })),
    get(`${home}/export.csv`, { fields: field }),
    get(`${home}/export.csv`, { sort: field }),
    get(`${home}/files.zip`, { field }),
    get(`${home}/files.zip`, { sort: field }),
    ...(['read', 'update'] as const).map(
      (right): Probe => ({
        method: 'POST',
        path: '/api/explain',
        body: { permission: `records:${right}`, collection, field },
      }),
    ),
  ]
}

function ofRelations({ collections, collection, field, values }: Target): readonly Probe[] {
  return collections.flatMap(({ name, fields }) =>
    fields
      .filter(({ kind, target }) => kind === 'relation' && target === collection)
      .flatMap(({ name: relation }) => {
        const home = `/api/collections/${name}`
        const behind = field === null ? [] : [`${relation}.${field}`]
        return [
          get(`${home}/records`, { fields: relation, expand: relation, perPage: '500' }),
          get(`${home}/groups`, { by: relation }),
          get(`${home}/records`, { sort: relation, perPage: '500' }),
          get(`${home}/records`, { filter: `${relation} is empty`, count: 'exact' }),
          ...values.map((value) =>
            get(`${home}/records`, { filter: `${relation} ~ ${printed(String(value))}`, count: 'exact' }),
          ),
          ...behind.flatMap((path) => [
            get(`${home}/records`, { filter: `${path} is empty`, count: 'exact' }),
            ...values.map((value) => get(`${home}/records`, { filter: `${path} = ${printed(value)}`, count: 'exact' })),
            get(`${home}/records`, { sort: path, perPage: '500' }),
            get(`${home}/groups`, { by: path }),
          ]),
        ]
      }),
  )
}

function ofValues({ collection, field, values }: Target): readonly Probe[] {
  const home = `/api/collections/${collection}`
  return values.flatMap((value) => {
    const search = String(value).slice(0, 40)
    const filters = field === null ? [] : [`${field} = ${printed(value)}`, `${field} != ${printed(value)}`]
    return [
      ...filters.flatMap((filter): readonly Probe[] => [
        get(`${home}/records`, { filter, count: 'exact' }),
        get(`${home}/sums`, { filter }),
        get(`${home}/groups`, { by: 'createdBy', filter }),
        get(`${home}/export.csv`, { filter }),
        get(`${home}/files.zip`, { filter }),
        { method: 'POST', path: `${home}/records/bulk/count`, body: { where: { filter } } },
      ]),
      ...(search.trim() === ''
        ? []
        : [
            get(`${home}/records`, { search, marks: 'true', count: 'exact' }),
            get(`${home}/export.csv`, { search }),
            get('/api/search', { q: search, limit: '20' }),
            get('/api/trash', { search }),
          ]),
    ]
  })
}

function ofRecord({ collection, record, field }: Target): readonly Probe[] {
  if (record === null) return []
  const home = `/api/collections/${collection}`
  const path = `${home}/records/${record}`
  return [
    get(path),
    { method: 'HEAD', path },
    get(path, { expand: '*' }),
    get(`${path}/transitions`),
    get(`${path}/history`),
    get(`${path}/files.zip`),
    get(`${path}/archive`),
    get(`${home}/records`, { filter: `id = "${record}"`, count: 'exact' }),
    { method: 'POST', path: `${home}/records/bulk/count`, body: { where: { only: [record] } } },
    ...(['read', 'update', 'delete', 'transition'] as const).map(
      (right): Probe => ({
        method: 'POST',
        path: '/api/explain',
        body: {
          permission: `records:${right}`,
          collection,
          record,
          ...(field !== null && right !== 'delete' && right !== 'transition' && { field }),
        },
      }),
    ),
  ]
}

const ofFile = (file: string): readonly Probe[] => [
  get(`/api/files/${file}`),
  { method: 'HEAD', path: `/api/files/${file}` },
  get(`/api/files/${file}/place`),
  get(`/api/files/${file}`, { download: '' }),
  get(`/api/uploads`, { load: file }),
]

const printed = (value: Literal): string =>
  typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` : String(value)
