import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { doctorFindings } from '#tests/support/server/test-collections.ts'

let app: TestApp
let owner: Caller
/** Airports, routes that start at one airport and stop at several, and their IDs. */
let made: { readonly airports: string; readonly routes: string; readonly ids: { readonly [name: string]: string } }

const path = (collection: string, rest = ''): string => `/api/collections/${collection}/records${rest}`

async function make(collection: string, values: object): Promise<string> {
  const { status, body, text } = await owner.post(path(collection), { values })
  expect(status, text).toBe(201)
  return body.id
}

async function expectOk<Answer extends { readonly status: number; readonly text: string }>(
  asked: Promise<Answer>,
): Promise<Answer> {
  const answer = await asked
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  const airports = await expectOk(
    owner.post('/api/collections', { label: 'Airports', fields: [{ label: 'Code', kind: 'text' }] }),
  )
  const routes = await expectOk(
    owner.post('/api/collections', {
      label: 'Routes',
      fields: [
        { label: 'Name', kind: 'text' },
        { label: 'Flights', kind: 'number' },
        { label: 'Open', kind: 'checkbox' },
      ],
    }),
  )
  const from = { label: 'From', kind: 'relation', options: { collection: 'airports' }, reverse: {} }
  await expectOk(owner.post('/api/collections/routes/fields', from))
  const stops = {
    label: 'Stops',
    kind: 'relation',
    options: { collection: 'airports', many: true },
    reverse: { label: 'Stopped at by' },
  }
  await expectOk(owner.post('/api/collections/routes/fields', stops))
  const partner = {
    label: 'Partner',
    kind: 'relation',
    options: { collection: 'airports' },
    reverse: { label: 'Partner of' },
  }
  await expectOk(owner.post('/api/collections/airports/fields', partner))
  const vie = await make('airports', { code: 'VIE' })
  const jfk = await make('airports', { code: 'JFK', partner: vie })
  const gva = await make('airports', { code: 'GVA' })
  const first = await make('routes', { name: 'Alps', flights: 12, open: true, from: vie, stops: [gva, jfk] })
  const second = await make('routes', { name: 'Atlantic', flights: 3, open: false, from: vie, stops: [jfk] })
  const third = await make('routes', { name: 'Back', flights: 8, open: true, from: jfk })
  made = { airports: airports.body.id, routes: routes.body.id, ids: { vie, jfk, gva, first, second, third } }
})
afterAll(async () => {
  expect(await doctorFindings(app)).toEqual([])
  await app.close()
})

const fieldNames = async (caller: Caller, collection: string): Promise<readonly string[]> =>
  (await caller.get(`/api/collections/${collection}`)).body.fields.map(({ name }: { readonly name: string }) => name)

const fieldId = async (collection: string, wanted: string): Promise<string> => {
  const { fields } = (await owner.get(`/api/collections/${collection}`)).body
  return fields.find(({ name }: { readonly name: string }) => name === wanted)?.id
}

const valuesOf = async (caller: Caller, record: string, query = '') =>
  (await expectOk(caller.get(path('airports', `/${record}${query}`)))).body.values

const listAirports = (caller: Caller, filter: string, more = '&sort=code') =>
  caller.get(path('airports', `?fields=code&filter=${encodeURIComponent(filter)}${more}`))

async function codesWhere(caller: Caller, filter: string, more?: string): Promise<readonly string[]> {
  const { body } = await expectOk(listAirports(caller, filter, more))
  return body.items.map(({ values }: { readonly values: { readonly code: string } }) => values.code)
}

const linked = (...names: readonly string[]) => ({
  count: names.length,
  records: names.map((name) => made.ids[name]),
})

describe('a reverse side', () => {
  test('is added with the relation, named after the collection that links', async () => {
    expect(await fieldNames(owner, 'airports')).toEqual(['code', 'routes', 'stoppedAtBy', 'partner', 'partnerOf'])
  })

  test('shows the records that link to a record', async () => {
    const { vie, jfk, gva } = made.ids
    expect(await valuesOf(owner, vie ?? '')).toMatchObject({
      routes: linked('first', 'second'),
      stoppedAtBy: linked(),
      partnerOf: linked('jfk'),
    })
    expect(await valuesOf(owner, jfk ?? '')).toMatchObject({
      routes: linked('third'),
      stoppedAtBy: linked('first', 'second'),
    })
    expect(await valuesOf(owner, gva ?? '')).toMatchObject({ routes: linked(), stoppedAtBy: linked('first') })
  })

  test('shows titles when it is expanded', async () => {
    const { routes, stoppedAtBy: stops } = await valuesOf(owner, made.ids['vie'] ?? '', '?expand=routes')
    expect(routes).toEqual({
      count: 2,
      records: [
        { id: made.ids['first'], title: 'Alps' },
        { id: made.ids['second'], title: 'Atlantic' },
      ],
    })
    expect(stops).toEqual(linked())
  })

  test('is read for a whole page of records', async () => {
    const { body } = await expectOk(owner.get(path('airports', '?fields=routes&sort=code')))
    expect(body.items.map(({ values }: { readonly values: object }) => values)).toEqual([
      { routes: linked() },
      { routes: linked('third') },
      { routes: linked('first', 'second') },
    ])
  })

  test('contains the first ten records and the number of all', async () => {
    const hub = await make('airports', { code: 'HUB' })
    const create = Array.from({ length: 12 }, (_, at) => ({ values: { name: `Line ${at}`, from: hub } }))
    const { created } = (await expectOk(owner.post(path('routes', '/bulk'), { create }))).body
    const { routes } = await valuesOf(owner, hub)
    expect(routes).toEqual({ count: 12, records: created.slice(0, 10) })
    await expectOk(owner.post(path('routes', '/bulk'), { delete: created }))
    expect((await valuesOf(owner, hub)).routes).toEqual(linked())
    await expectOk(owner.delete(path('airports', `/${hub}`)))
  })

  test('can’t be written', async () => {
    const change = { values: { routes: [made.ids['first']] } }
    const one = await owner.patch(path('airports', `/${made.ids['gva']}`), change)
    const another = await owner.post(path('airports'), change)
    for (const { status, body } of [one, another])
      expect([status, body.errors]).toEqual([422, [expect.objectContaining({ path: 'routes', code: 'read-only' })]])
  })

  test('is renamed, described and moved like any field', async () => {
    const change = { label: 'Departures', name: 'departures', description: 'From here', position: 0 }
    await expectOk(owner.patch('/api/collections/airports/fields/routes', change))
    expect((await fieldNames(owner, 'airports'))[0]).toBe('departures')
    expect((await valuesOf(owner, made.ids['vie'] ?? '')).departures).toEqual(linked('first', 'second'))
    await expectOk(
      owner.patch('/api/collections/airports/fields/departures', { label: 'Routes', name: 'routes', position: 1 }),
    )
  })

  test('rejects settings of stored values', async () => {
    const place = '/api/collections/airports/fields/routes'
    for (const change of [{ required: true }, { unique: true }, { default: ['x'] }, { kind: 'text' }])
      expect((await owner.patch(place, change)).status, JSON.stringify(change)).toBe(422)
    expect((await owner.patch('/api/collections/airports/fields/code', { kind: 'reverse' })).status).toBe(422)
  })

  test('lists chosen fields of the records that link', async () => {
    const place = '/api/collections/airports/fields/routes'
    const { options } = (await owner.get('/api/collections/airports')).body.fields[1]
    const choose = (...fields: readonly string[]) => owner.patch(place, { options: { ...options, fields } })
    const [name, flights, open] = [
      await fieldId('routes', 'name'),
      await fieldId('routes', 'flights'),
      await fieldId('routes', 'open'),
    ]
    const listedFor = async (caller: Caller) =>
      (await caller.get('/api/collections/airports')).body.fields.find(
        ({ name: each }: { readonly name: string }) => each === 'routes',
      ).options.fields
    expect(await listedFor(owner)).toBeUndefined()
    await expectOk(choose('flights', open))
    expect(await listedFor(owner)).toEqual([flights, open])
    expect((await choose('nowhere')).body.errors).toEqual([
      expect.objectContaining({ path: 'options.fields', code: 'unknown-field' }),
    ])
    const read = { permission: 'records:read' } as const
    const readers: readonly Grant[] = [
      { ...read, collection: made.airports },
      { ...read, collection: made.routes, fields: { except: [flights] } },
    ]
    expect(await listedFor(await app.asGranted(readers))).toEqual([open])
    const manages: Grant = { permission: 'collections:manage', collection: made.airports }
    const manager = await app.asGranted([...readers, manages])
    await expectOk(manager.patch(place, { options: { ...options, fields: [name] } }))
    expect(await listedFor(owner)).toEqual([name, flights])
    await expectOk(owner.patch(place, { options }))
    expect(await listedFor(owner)).toBeUndefined()
  })

  test('exists once per relation, and only where the relation links', async () => {
    const add = (collection: string, relation: string, source = 'routes') =>
      owner.post(`/api/collections/${collection}/fields`, {
        label: 'More',
        kind: 'reverse',
        options: { collection: source, relation },
      })
    const answers = [
      await add('airports', 'from'),
      await add('airports', 'name'),
      await add('airports', 'nowhere'),
      await add('airports', 'from', 'nowhere'),
      await add('routes', 'stops'),
    ]
    for (const { status, body } of answers) expect([status, body.code]).toEqual([422, 'definition-invalid'])
    const text = { label: 'More', kind: 'text', reverse: {} }
    expect((await owner.post('/api/collections/airports/fields', text)).status).toBe(422)
  })
})

describe('a query', () => {
  test('filters by fields of the records that link', async () => {
    expect(await codesWhere(owner, 'routes.flights > 10')).toEqual(['VIE'])
    expect(await codesWhere(owner, 'routes.open = true')).toEqual(['JFK', 'VIE'])
    expect(await codesWhere(owner, 'stoppedAtBy.from.code = "VIE"')).toEqual(['GVA', 'JFK'])
    expect(await codesWhere(owner, 'stoppedAtBy.from.partnerOf.code = "JFK"')).toEqual(['GVA', 'JFK'])
    expect(await codesWhere(owner, 'routes.flights > 10 && routes.open = false')).toEqual(['VIE'])
    expect(await codesWhere(owner, 'partnerOf.routes.name = "Back"')).toEqual(['VIE'])
  })

  test('filters by the records that link', async () => {
    expect(await codesWhere(owner, 'routes is empty')).toEqual(['GVA'])
    expect(await codesWhere(owner, 'routes is not empty')).toEqual(['JFK', 'VIE'])
    expect(await codesWhere(owner, `routes = "${made.ids['second']}"`)).toEqual(['VIE'])
    expect(await codesWhere(owner, `stoppedAtBy != "${made.ids['second']}"`)).toEqual(['GVA', 'VIE'])
    expect(await codesWhere(owner, 'routes ~ "atl"')).toEqual(['VIE'])
    expect(await codesWhere(owner, 'partner = partnerOf')).toEqual([])
  })

  test('from the other side can lead back', async () => {
    const filter = encodeURIComponent('from.partnerOf.code = "JFK"')
    const { body } = await expectOk(owner.get(path('routes', `?fields=name&sort=name&filter=${filter}`)))
    expect(body.items.map(({ values }: { readonly values: { readonly name: string } }) => values.name)).toEqual([
      'Alps',
      'Atlantic',
    ])
  })

  test('sorts by the first record that links', async () => {
    expect(await codesWhere(owner, '', '&sort=routes')).toEqual(['VIE', 'JFK', 'GVA'])
    expect(await codesWhere(owner, '', '&sort=-routes')).toEqual(['JFK', 'VIE', 'GVA'])
    expect(await codesWhere(owner, '', '&sort=-routes.flights')).toEqual(['VIE', 'JFK', 'GVA'])
  })

  test('groups by several records: each record is in all of its groups', async () => {
    const groupsOf = async (collection: string, by: string) =>
      (await expectOk(owner.get(`/api/collections/${collection}/groups?by=${by}&aggregates=count`))).body.groups.map(
        ({ label, count, offset }: { readonly label: string; readonly count: number; readonly offset: number }) =>
          [label, count, offset] as const,
      )
    expect(await groupsOf('airports', 'routes')).toEqual([
      ['Alps', 1, 0],
      ['Atlantic', 1, 1],
      ['Back', 1, 2],
      ['', 1, 3],
    ])
    expect(await groupsOf('routes', '-stops')).toEqual([
      ['JFK', 2, 0],
      ['GVA', 1, 2],
      ['', 1, 3],
    ])
    const nested: readonly (readonly [string, number, number])[] = await groupsOf('routes', 'open,stops')
    expect(nested.map(([label, count]) => [label.split(' · ').at(-1), count])).toEqual([
      ['JFK', 1],
      ['GVA', 1],
      ['JFK', 1],
      ['', 1],
    ])
  })

  test('searches titles of the records that link, and highlights them', async () => {
    const found = async (search: string) =>
      (
        await expectOk(owner.get(path('airports', `?search=${search}&sort=code&marks=true&expand=routes`)))
      ).body.items.map(({ values, marks }: { readonly values: { readonly code: string }; readonly marks: object }) => [
        values.code,
        marks,
      ])
    expect(await found('atlan')).toEqual([
      ['JFK', { stoppedAtBy: [[0, 5, 1]] }],
      ['VIE', { routes: [[0, 5, 1]] }],
    ])
    expect(await found('alps')).toEqual([
      ['GVA', { stoppedAtBy: [[0, 4, 0]] }],
      ['JFK', { stoppedAtBy: [[0, 4, 0]] }],
      ['VIE', { routes: [[0, 4, 0]] }],
    ])
    const everywhere = await expectOk(owner.get('/api/search?q=atlan'))
    expect(everywhere.body.groups.map(({ items }: { readonly items: readonly object[] }) => items.length)).toEqual([
      2, 1,
    ])
  })

  test('finds records after their links have changed', async () => {
    const filter = 'routes.flights > 7'
    expect(await codesWhere(owner, filter)).toEqual(['JFK', 'VIE'])
    await expectOk(owner.patch(path('routes', `/${made.ids['third']}`), { values: { from: made.ids['gva'] } }))
    expect(await codesWhere(owner, filter)).toEqual(['GVA', 'VIE'])
    await expectOk(owner.patch(path('routes', `/${made.ids['third']}`), { values: { from: made.ids['jfk'] } }))
    expect(await codesWhere(owner, filter)).toEqual(['JFK', 'VIE'])
  })
})

test('conditions and sort orders of an earlier time can’t read a reverse side, whose links of that time aren’t known', async () => {
  const at = app.clock.now().toISOString()
  app.clock.move(1000)
  for (const [query, code] of [
    ['filter=routes%20is%20not%20empty', 'invalid-filter'],
    ['filter=partnerOf.routes.flights%20%3E%201', 'invalid-filter'],
    ['sort=routes.name', 'invalid-sort'],
  ] as const) {
    const answer = await owner.get(path('airports', `?at=${at}&${query}`))
    expect([answer.status, answer.body.code]).toEqual([400, code])
  }
  expect((await owner.get(path('airports', `?at=${at}&filter=partner.code%20=%20%22VIE%22`))).body.items).toHaveLength(
    1,
  )
})

describe('expanding', () => {
  const expanded = (caller: Caller, record: string, expand: string) =>
    caller.get(path('airports', `/${record}?expand=${encodeURIComponent(expand)}`))

  test('includes the requested fields of linked records, from both sides', async () => {
    const { jfk = '', vie } = made.ids
    const { body } = await expectOk(expanded(owner, jfk, 'partner(code),stoppedAtBy(name,from(code,routes))'))
    const start = { id: vie, title: 'VIE', values: { code: 'VIE', routes: linked('first', 'second') } }
    expect(body.values).toMatchObject({
      partner: { id: vie, title: 'VIE', values: { code: 'VIE' } },
      routes: linked('third'),
      stoppedAtBy: {
        count: 2,
        records: [
          { id: made.ids['first'], title: 'Alps', values: { name: 'Alps', from: start } },
          { id: made.ids['second'], title: 'Atlantic', values: { name: 'Atlantic', from: start } },
        ],
      },
    })
  })

  test('works for lists', async () => {
    const expand = encodeURIComponent('from(code,partnerOf(code))')
    const { body } = await expectOk(owner.get(path('routes', `?sort=name&perPage=1&fields=from&expand=${expand}`)))
    const partner = { id: made.ids['jfk'], title: 'JFK', values: { code: 'JFK' } }
    expect(body.items[0].values).toEqual({
      from: { id: made.ids['vie'], title: 'VIE', values: { code: 'VIE', partnerOf: { count: 1, records: [partner] } } },
    })
  })

  test('rejects unknown fields, fields without linked records and too many levels', async () => {
    const { jfk = '' } = made.ids
    const wrong = ['routes(', 'routes(nowhere)', 'code(name)', 'nowhere(name)', 'routes(from(routes(from(code))))']
    for (const expand of wrong) expect((await expanded(owner, jfk, expand)).status, expand).toBe(400)
  })

  test('includes only what the actor can read', async () => {
    const { jfk = '', vie = '' } = made.ids
    const flights = await fieldId('routes', 'flights')
    const blind = await app.asGranted([{ permission: 'records:read', collection: made.airports }])
    const some = await app.asGranted([
      { permission: 'records:read', collection: made.airports },
      {
        permission: 'records:read',
        collection: made.routes,
        where: { field: 'open', op: '=', value: true },
        fields: { except: [flights] },
      },
    ])
    expect((await expanded(blind, jfk, 'routes(name)')).status).toBe(400)
    expect((await expanded(some, jfk, 'routes(flights)')).status).toBe(400)
    expect((await expectOk(expanded(some, vie, 'routes(name)'))).body.values.routes).toEqual({
      count: 1,
      records: [{ id: made.ids['first'], title: 'Alps', values: { name: 'Alps' } }],
    })
  })
})

describe('access', () => {
  const reading = (collection: string, more: Partial<Grant> = {}): Grant => ({
    permission: 'records:read',
    collection,
    ...more,
  })

  test('to the reverse side needs access to the relation', async () => {
    const [from, stops] = [await fieldId('routes', 'from'), await fieldId('routes', 'stops')]
    const blind = await app.asGranted([reading(made.airports)])
    const half = await app.asGranted([reading(made.airports), reading(made.routes, { fields: { except: [from] } })])
    expect(await fieldNames(blind, 'airports')).toEqual(['code', 'partner', 'partnerOf'])
    expect(await fieldNames(half, 'airports')).toEqual(['code', 'stoppedAtBy', 'partner', 'partnerOf'])
    for (const caller of [blind, half]) {
      expect(Object.keys(await valuesOf(caller, made.ids['vie'] ?? ''))).not.toContain('routes')
      for (const use of ['filter=routes is empty', 'filter=routes.flights > 1', 'sort=routes', 'expand=routes']) {
        const asked = (name: string) => caller.get(path('airports', `?${encodeURI(use.replaceAll('routes', name))}`))
        const [hidden, unknown] = [await asked('routes'), await asked('nowhere')]
        expect(hidden.status).toBe(400)
        expect(hidden.text.replaceAll(/routes|nowhere|"requestId":"[^"]*"/g, '')).toBe(
          unknown.text.replaceAll(/routes|nowhere|"requestId":"[^"]*"/g, ''),
        )
      }
    }
    const other = await app.asGranted([reading(made.airports), reading(made.routes, { fields: { except: [stops] } })])
    expect(await fieldNames(other, 'airports')).toEqual(['code', 'routes', 'partner', 'partnerOf'])
  })

  test('is limited to the records and relations that the actor can read', async () => {
    const from = await fieldId('routes', 'from')
    const open: Grant['where'] = { field: 'open', op: '=', value: true }
    const some = await app.asGranted([reading(made.airports), reading(made.routes, { where: open })])
    const partly = await app.asGranted([
      reading(made.airports),
      reading(made.routes, { fields: { except: [from] } }),
      reading(made.routes, { where: open }),
    ])
    for (const caller of [some, partly]) {
      expect((await valuesOf(caller, made.ids['vie'] ?? '')).routes).toEqual(linked('first'))
      expect(await codesWhere(caller, 'routes.flights < 10')).toEqual(['JFK'])
      expect(await codesWhere(caller, 'routes.name = "Atlantic"')).toEqual([])
      expect(await codesWhere(caller, `routes = "${made.ids['second']}"`)).toEqual([])
      expect(await codesWhere(caller, '', '&sort=-routes')).toEqual(['JFK', 'VIE', 'GVA'])
    }
    expect((await valuesOf(partly, made.ids['jfk'] ?? '')).stoppedAtBy).toEqual(linked('first', 'second'))
  })

  test('can be limited to some of the records that are linked to', async () => {
    const routes = await fieldId('airports', 'routes')
    const caller = await app.asGranted([
      reading(made.routes),
      reading(made.airports, { fields: { except: [routes] } }),
      reading(made.airports, { where: { field: 'code', op: '=', value: 'JFK' } }),
    ])
    expect(Object.keys(await valuesOf(caller, made.ids['vie'] ?? ''))).not.toContain('routes')
    expect((await valuesOf(caller, made.ids['jfk'] ?? '')).routes).toEqual(linked('third'))
    expect(await codesWhere(caller, 'routes.flights > 1')).toEqual(['JFK'])
  })

  test('to add one needs permission to manage both collections', async () => {
    const manager = await app.asGranted([
      ...[made.airports, made.routes].map((collection) => reading(collection)),
      { permission: 'collections:manage', collection: made.routes },
    ])
    const field = { label: 'Base', kind: 'relation', options: { collection: 'airports' } }
    const { status } = await manager.post('/api/collections/routes/fields', { ...field, reverse: {} })
    expect(status).toBe(403)
    expect(await fieldNames(owner, 'routes')).not.toContain('base')
  })
})

describe('a deleted relation', () => {
  const restore = async (name: string): Promise<void> => {
    const { items } = (await expectOk(owner.get('/api/trash/definitions'))).body
    const found = items.find(({ label }: { readonly label: string }) => label === name)
    await expectOk(owner.post(`/api/trash/definitions/${found?.id}/restore`))
  }

  test('takes its reverse side with it, and brings it back', async () => {
    await expectOk(owner.delete('/api/collections/routes/fields/from'))
    expect(await fieldNames(owner, 'airports')).not.toContain('routes')
    await expectOk(owner.patch('/api/collections/airports/fields/code', { description: 'Three letters' }))
    await restore('From')
    expect(await fieldNames(owner, 'airports')).toEqual(['code', 'routes', 'stoppedAtBy', 'partner', 'partnerOf'])
    expect((await valuesOf(owner, made.ids['vie'] ?? '')).routes).toEqual(linked('first', 'second'))
  })

  test('keeps its links when only the reverse side is deleted', async () => {
    await expectOk(owner.delete('/api/collections/airports/fields/routes'))
    expect(await fieldNames(owner, 'routes')).toContain('from')
    await restore('Routes')
    expect((await valuesOf(owner, made.ids['vie'] ?? '')).routes).toEqual(linked('first', 'second'))
  })

  test('of a deleted collection is restored with it', async () => {
    await expectOk(owner.delete('/api/collections/routes'))
    expect(await fieldNames(owner, 'airports')).toEqual(['code', 'partner', 'partnerOf'])
    await restore('Routes')
    expect((await valuesOf(owner, made.ids['vie'] ?? '')).routes).toEqual(linked('first', 'second'))
  })

  test('can be made, undone and made again in one change each', async () => {
    const base = { label: 'Base', kind: 'relation', options: { collection: 'airports' }, reverse: { label: 'Base of' } }
    await expectOk(owner.post('/api/collections/routes/fields', base))
    const undo = async (): Promise<void> => {
      const { items } = (await expectOk(owner.get('/api/activity'))).body
      await expectOk(owner.post(`/api/change-sets/${items[0].id}/undo`))
    }
    for (const isThere of [true, false, true, false]) {
      expect((await fieldNames(owner, 'airports')).includes('baseOf')).toBe(isThere)
      expect((await fieldNames(owner, 'routes')).includes('base')).toBe(isThere)
      await undo()
    }
  })

  test('gives way to another field of the same name', async () => {
    await expectOk(owner.delete('/api/collections/routes/fields/from'))
    await expectOk(owner.post('/api/collections/airports/fields', { label: 'Routes', name: 'routes', kind: 'text' }))
    await restore('From')
    const names = await fieldNames(owner, 'airports')
    expect(names.filter((name) => name.startsWith('routes'))).toHaveLength(2)
    expect(new Set(names).size).toBe(names.length)
  })
})
