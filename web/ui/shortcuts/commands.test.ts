import { describe, expect, test, vi } from 'vitest'
import { createCommands } from './commands.ts'

const aCommand = (id: string, run = vi.fn<() => void>()) => ({ id, label: id, about: 'page' as const, run })

describe('commands', () => {
  test('commands are available until they are removed', () => {
    const commands = createCommands(() => '/')
    const takeBack = commands.offer(aCommand('export'))
    expect(commands.all().map(({ id }) => id)).toEqual(['export'])
    takeBack()
    expect(commands.all()).toEqual([])
    expect(commands.run('export')).toBe(false)
  })

  test('a command registered by two components is listed once, and the last registration is used', () => {
    const commands = createCommands(() => '/')
    const [first, last] = [vi.fn<() => void>(), vi.fn<() => void>()]
    commands.offer(aCommand('new-record', first))
    commands.offer(aCommand('new-record', last))
    expect(commands.all()).toHaveLength(1)
    expect(commands.run('new-record')).toBe(true)
    expect([first.mock.calls.length, last.mock.calls.length]).toEqual([0, 1])
  })

  test('a command for another page runs when that page registers it, and only once', () => {
    let path = '/a'
    const commands = createCommands(() => path)
    const [here, there] = [vi.fn<() => void>(), vi.fn<() => void>()]
    commands.offer(aCommand('new-record', here))
    commands.runAt('/b', 'new-record')
    path = '/b'
    const leave = commands.offer(aCommand('new-record', there))
    leave()
    commands.offer(aCommand('new-record', there))
    expect([here.mock.calls.length, there.mock.calls.length]).toEqual([0, 1])
  })

  test('a command runs immediately if the page has already registered it', () => {
    const commands = createCommands(() => '/a')
    const run = vi.fn<() => void>()
    commands.offer(aCommand('new-record', run))
    commands.runAt('/a', 'new-record')
    expect(run).toHaveBeenCalledOnce()
  })
})
