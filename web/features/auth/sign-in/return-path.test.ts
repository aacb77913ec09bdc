import { describe, expect, test } from 'vitest'
import { safeReturnPath } from './return-path.ts'

const HERE = 'https://records.example'

describe('the return path after signing in', () => {
  test.each([
    '/collections/films',
    '/collections/films?filter=genre%20%3D%20%22Drama%22&page=2#top',
    '/a+b(c),d=e/ü',
    '/',
  ])('keeps %s whole', (path) => {
    expect(safeReturnPath(path, HERE)).toBe(new URL(path, HERE).href.slice(HERE.length))
  })

  test.each([
    'https://elsewhere.example/',
    '//elsewhere.example/',
    '/\\elsewhere.example/',
    '\\\\elsewhere.example',
    '/\t/elsewhere.example/',
    '/..//elsewhere.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'collections/films',
    'https://records.example:444/x',
    'https://records.example@elsewhere.example/',
    '',
  ])('refuses %j', (path) => {
    expect(safeReturnPath(path, HERE)).toBeUndefined()
  })

  test.each(['/login', '/login/', '/logout?x=1', '/setup?code=1', '/callback', '/a/../login'])(
    'is never set to %s',
    (path) => {
      expect(safeReturnPath(path, HERE)).toBeUndefined()
    },
  )
})
