import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { hasScope } from '#web/data/authorization/use-can.ts'
import { withSessionSettings } from '#server/platform/config/session-settings.ts'
import { readSessionConfig } from '#web/data/session/session-state.ts'
import { SESSION } from '#domain/specification.ts'

describe('scopes', () => {
  test('C19: a list of scopes grants exactly its members', () => {
    const user = { scope: ['records:read', 'users:manage'] }
    expect(hasScope(user, 'scope', 'users:manage')).toBe(true)
    expect(hasScope(user, 'scope', 'users')).toBe(false)
    expect(hasScope(user, 'scope', 'users:manage ')).toBe(false)
  })

  test('C19: an object of scopes grants the members that are true, including by dotted path', () => {
    const user = { scope: { admin: true, viewer: 0, users: { manage: 1, read: false }, 'a.b': true } }
    expect(hasScope(user, 'scope', 'admin')).toBe(true)
    expect(hasScope(user, 'scope', 'viewer')).toBe(false)
    expect(hasScope(user, 'scope', 'users.manage')).toBe(true)
    expect(hasScope(user, 'scope', 'users.read')).toBe(false)
    expect(hasScope(user, 'scope', 'users.delete')).toBe(false)
    expect(hasScope(user, 'scope', 'a.b')).toBe(true)
  })

  test('C19: the scope field can be renamed, even to a dotted path', () => {
    expect(hasScope({ rights: ['x'] }, 'rights', 'x')).toBe(true)
    expect(hasScope({ may: { here: ['x'] } }, 'may.here', 'x')).toBe(true)
    expect(hasScope({ scope: ['x'] }, 'rights', 'x')).toBe(false)
  })

  test('C19: there are no scopes when signed out or if the scope field is missing', () => {
    expect(hasScope(null, 'scope', 'x')).toBe(false)
    expect(hasScope(undefined, 'scope', 'x')).toBe(false)
    expect(hasScope({}, 'scope', 'x')).toBe(false)
  })

  test('C20, changed: a string of scopes grants only the scopes it contains, and never everything', () => {
    const user = { scope: 'viewer records:read' }
    expect(hasScope(user, 'scope', 'viewer')).toBe(true)
    expect(hasScope(user, 'scope', 'records:read')).toBe(true)
    expect(hasScope(user, 'scope', 'admin')).toBe(false)
    expect(hasScope(user, 'scope', 'view')).toBe(false)
    expect(hasScope(user, 'scope', 'viewer records:read')).toBe(false)
    expect(hasScope(user, 'scope', '')).toBe(false)
  })

  test.each([true, 7, null, () => true, Symbol('x')])('a field that is %s grants nothing', (scope) => {
    expect(hasScope({ scope }, 'scope', 'x')).toBe(false)
  })

  test.each(['constructor', '__proto__', 'toString', 'length', 'constructor.name', 'hasOwnProperty'])(
    'the inherited property %s is not a scope',
    (name) => {
      for (const scope of [{}, [], ['x'], { x: true }, '']) expect(hasScope({ scope }, 'scope', name)).toBe(false)
    },
  )
})

describe('the session configuration', () => {
  test("uses the routes of the specification if the page doesn't contain a configuration", () => {
    expect(readSessionConfig('')).toMatchObject({ routes: SESSION.routes, scopeField: SESSION.scopeField })
  })

  test('is the one that the server wrote into the page', () => {
    const settings = { routes: { ...SESSION.routes, login: '/enter', home: '/start/here' }, scopeField: 'rights' }
    const page = withSessionSettings('<meta name="session-settings" content="" />', settings)
    const content = /content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? ''
    expect(readSessionConfig(content)).toEqual(settings)
  })
})

test('no page contains a hard-coded session route', () => {
  const files = globSync('web/**/*.{ts,tsx}').filter((path) => !path.includes('.test.'))
  const written = /['"`]\/(?:login|logout|callback)\b|\bto(?:=|: )\{?['"`]\/['"`]/
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((path) => written.test(readFileSync(path, 'utf8')))).toEqual([])
})
