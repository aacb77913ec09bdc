import { describe, expect, test } from 'vitest'
import { createOpenedLinks } from './opened-link.ts'

const INVITATION = { page: '/invitation', code: 'abc' } as const

describe('a link opened while signed in', () => {
  test('is pending until the user responds, and is discarded if they choose to stay signed in', () => {
    const links = createOpenedLinks()
    let changes = 0
    links.subscribe(() => (changes += 1))
    links.keep('/invitation', 'abc')
    expect([links.get(), links.takeWanted()]).toEqual([INVITATION, null])
    links.stay()
    expect([links.get(), links.takeWanted(), changes]).toEqual([null, null, 2])
  })

  test('is used once if the user continues', () => {
    const links = createOpenedLinks()
    links.keep('/invitation', 'abc')
    links.want()
    expect([links.get(), links.takeWanted(), links.takeWanted()]).toEqual([null, INVITATION, null])
  })

  test('is ignored without a code, on other pages and after use', () => {
    const links = createOpenedLinks()
    links.keep('/invitation', undefined)
    links.keep('/invitation', '')
    links.keep('/login', 'abc')
    links.markServed('abc')
    links.keep('/reset-password', 'abc')
    expect(links.get()).toBeNull()
  })

  test('is replaced by the next link', () => {
    const links = createOpenedLinks()
    links.keep('/invitation', 'abc')
    links.want()
    links.keep('/reset-password', 'def')
    expect([links.takeWanted(), links.get()]).toEqual([null, { page: '/reset-password', code: 'def' }])
  })
})
