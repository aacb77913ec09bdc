import { describe, expect, test } from 'vitest'
import { Problem } from '#domain/shared/problem.ts'
import { addressKey, openTryCounter } from './try-counter.ts'

const RULES = { pair: { freeFailures: 2, longestWaitSeconds: 60 } }

function aCounter() {
  let nowMs = 1_000_000
  const counter = openTryCounter(RULES, () => new Date(nowMs))
  const begin = () => counter.begin({ pair: 'ada 10.0.0.1' })
  return { begin, wait: (ms: number) => (nowMs += ms), beginAsOther: () => counter.begin({ pair: 'bob 10.0.0.1' }) }
}

describe('a try', () => {
  test('is refused with the wait once too many before it failed', () => {
    const { begin } = aCounter()
    for (let round = 0; round < 3; round += 1) begin()
    expect(begin).toThrow(Problem)
    expect(begin).toThrow(/Wait 1 seconds/)
  })

  test('counts from its beginning, so that many at once are no way around', () => {
    const { begin } = aCounter()
    const tried = Array.from({ length: 50 }, () => {
      try {
        return begin()
      } catch {
        return undefined
      }
    })
    expect(tried.filter((one) => one !== undefined)).toHaveLength(3)
  })

  test('that succeeds costs nothing', () => {
    const { begin } = aCounter()
    for (let round = 0; round < 50; round += 1) begin().succeeded()
    expect(begin).not.toThrow()
  })

  test('may be made again when the wait is over, and the next wait is longer', () => {
    const { begin, wait } = aCounter()
    for (let round = 0; round < 3; round += 1) begin()
    wait(1000)
    begin()
    wait(1000)
    expect(begin).toThrow(/Wait 1 seconds/)
  })

  test('of one does not count against another', () => {
    const { begin, beginAsOther } = aCounter()
    for (let round = 0; round < 3; round += 1) begin()
    expect(beginAsOther).not.toThrow()
  })
})

describe('a counter', () => {
  const RULE = { freeFailures: 0, longestWaitSeconds: 60 }

  test('without a key is not asked', () => {
    const counter = openTryCounter({ account: RULE, device: RULE }, () => new Date(0))
    counter.begin({ account: 'ada' })
    expect(() => counter.begin({ device: 'd1' })).not.toThrow()
    expect(() => counter.begin({ account: 'ada' })).toThrow(Problem)
  })

  test('forgives one account everywhere, and no other', () => {
    const counter = openTryCounter({ pair: RULE }, () => new Date(0))
    for (const pair of ['ada 10.0.0.1', 'ada 10.0.0.2', 'adam 10.0.0.1']) counter.begin({ pair })
    counter.forgive('pair', 'ada')
    expect(() => counter.begin({ pair: 'ada 10.0.0.1' })).not.toThrow()
    expect(() => counter.begin({ pair: 'ada 10.0.0.2' })).not.toThrow()
    expect(() => counter.begin({ pair: 'adam 10.0.0.1' })).toThrow(Problem)
  })
})

describe('an address', () => {
  test.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })
})
