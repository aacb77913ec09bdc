import { describe, expect, test, vi } from 'vitest'
import { createCommands } from './commands.ts'

const aCommand = (id: string, run = vi.fn<() => void>()) => ({ id, label: id, about: 'page' as const, run })

describe('what can be done', () => {
  test('is offered until it is taken back', () => {
    const commands = createCommands(() => '/')
    const takeBack = commands.offer(aCommand('export'))
    expect(commands.all().map(({ id }) => id)).toEqual(['export'])
    takeBack()
    expect(commands.all()).toEqual([])
    expect(commands.run('export')).toBe(false)
  })

  test('stands once, though two parts of the page offer it: the last counts', () => {
    const commands = createCommands(() => '/')
    const [first, last] = [vi.fn<() => void>(), vi.fn<() => void>()]
    commands.offer(aCommand('new-record', first))
    commands.offer(aCommand('new-record', last))
    expect(commands.all()).toHaveLength(1)
    expect(commands.run('new-record')).toBe(true)
    expect([first.mock.calls.length, last.mock.calls.length]).toEqual([0, 1])
  })

  test('on another page is done once one is there, and only once', () => {
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

  test('on the page one is on already is done at once', () => {
    const commands = createCommands(() => '/a')
    const run = vi.fn<() => void>()
    commands.offer(aCommand('new-record', run))
    commands.runAt('/a', 'new-record')
    expect(run).toHaveBeenCalledOnce()
  })
})
