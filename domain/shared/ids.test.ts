import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ID_PATTERN, createIdGenerator, seqOf } from './ids.ts'

/** Generates clocks that stop, jump and go backwards. */
const clocks = fc.array(fc.integer({ min: 0, max: 2 ** 42 }), { minLength: 2, maxLength: 40 })

function idsOf(clock: readonly number[], byteAt: (call: number) => number): string[] {
  let tick = 0
  let call = 0
  const make = createIdGenerator(
    () => clock[tick++ % clock.length] ?? 0,
    (count) => new Uint8Array(count).map(() => byteAt(call++)),
  )
  return clock.map(() => make())
}

describe('IDs from one generator', () => {
  test('have a fixed format and increase, even if the clock stops or is set back', () => {
    fc.assert(
      fc.property(clocks, fc.nat(255), (clock, byte) => {
        const ids = idsOf(clock, () => byte)
        for (const id of ids) expect(id).toMatch(ID_PATTERN)
        expect([...new Set(ids)].sort()).toEqual(ids)
      }),
    )
  })

  test('differ from IDs of another generator at the same time', () => {
    const [here] = idsOf([7], (call) => call)
    const [there] = idsOf([7], (call) => call + 100)
    expect(here?.slice(0, 10)).toBe(there?.slice(0, 10))
    expect(here?.slice(14)).not.toBe(there?.slice(14))
  })

  test('continue in the next millisecond if the counter overflows', () => {
    const bytes = new Uint8Array(16).fill(255)
    const make = createIdGenerator(
      () => 5,
      () => bytes,
    )
    let before = make()
    let id = make()
    for (; id.startsWith('0000000005'); id = make()) before = id
    expect(id.slice(0, 10)).toBe('0000000006')
    expect(BigInt(seqOf(id)) > BigInt(seqOf(before))).toBe(true)
  })
})

describe('record sequence numbers', () => {
  test('from one generator are unique and ordered like the IDs', () => {
    fc.assert(
      fc.property(clocks, fc.array(fc.nat(255), { minLength: 1 }), (clock, bytes) => {
        const ids = idsOf(clock, (call) => bytes[call % bytes.length] ?? 0)
        const seqs = ids.map((id) => BigInt(seqOf(id)))
        for (const [at, seq] of seqs.entries()) if (at > 0) expect(seq > (seqs[at - 1] ?? seq)).toBe(true)
      }),
    )
  })

  test('encode the time and the counter, and fit in a 64-bit integer', () => {
    expect(seqOf(`0000000001${'0003'}${'z'.repeat(12)}`)).toBe(String(2 ** 20 + 3))
    const lastDay = Date.parse('2248-01-01T00:00:00.000Z')
    const [id = ''] = idsOf([lastDay], () => 255)
    expect(BigInt(seqOf(id)) < 2n ** 63n).toBe(true)
  })
})
