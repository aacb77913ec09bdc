import { describe, expect, test } from 'vitest'
import { type Runner, isAbandoned } from './abandoned-runner.ts'

const self: Runner = { host: 'here', processId: 7, token: 'mine' }
const now = new Date('2026-03-01T12:00:00Z')
const lately = '2026-03-01T11:59:30Z'
const longAgo = '2026-03-01T11:00:00Z'

const result = (runner: Partial<Runner>, aliveAt: string, isAlive = false) =>
  isAbandoned({ runner: { ...self, token: 'other', ...runner }, aliveAt }, { self, isAlive, now })

describe('a running import', () => {
  test('is never abandoned in the process that runs it', () => {
    expect(result({ token: 'mine' }, longAgo)).toBe(false)
  })

  test('is abandoned if its process ran on this machine and has ended', () => {
    expect(result({ processId: 8 }, lately)).toBe(true)
  })

  test('is abandoned if its process ID now belongs to this process', () => {
    expect(result({ processId: 7 }, lately, true)).toBe(true)
  })

  test('is not abandoned while its process runs, on this machine or another', () => {
    expect(result({ processId: 8 }, lately, true)).toBe(false)
    expect(result({ host: 'there' }, lately)).toBe(false)
  })

  test('is abandoned after a long time without a heartbeat, even if another process reuses the ID', () => {
    expect(result({ processId: 8 }, longAgo, true)).toBe(true)
    expect(result({ host: 'there' }, longAgo)).toBe(true)
  })

  test('is abandoned if its heartbeat is in the future, after the clock was set back', () => {
    expect(result({ host: 'there' }, '2026-03-01T17:00:00Z')).toBe(true)
    expect(result({ host: 'there' }, '2026-03-01T12:00:30Z')).toBe(false)
  })
})
