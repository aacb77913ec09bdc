import { describe, expect, test } from 'vitest'
import { removeTotp } from '#api/second-factors.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { createCaller, createReauthenticationGate } from '#web/data/api/call.ts'
import type { RequestResult } from '#web/data/api/send-request.ts'
import { createSessionState } from '#web/data/session/session-state.ts'

const NEEDS_PROOF: RequestResult = { ok: false, failure: new CallError('step-up-needed', 'Prove it.', { status: 401 }) }
const DONE: RequestResult = { ok: true, body: undefined }

const nothing = () => undefined

function aCaller(answers: readonly RequestResult[]) {
  const state = createSessionState()
  state.reset(null)
  state.keepToken(state.epoch(), { value: 'token', expiresAtMs: 3_600_000, sessionId: 's' })
  const left = [...answers]
  const gate = createReauthenticationGate()
  const exchange = async () => left.shift() ?? DONE
  const { call } = createCaller({
    state,
    exchange,
    refresh: async () => 'refused',
    now: () => 0,
    onOtherUser: nothing,
    proveAgain: () => gate.ask(),
  })
  return { gate, left, remove: () => call(removeTotp) }
}

describe('a call that needs re-authentication', () => {
  test('waits for it and is then sent again', async () => {
    const { gate, left, remove } = aCaller([NEEDS_PROOF, DONE])
    gate.subscribe(() => gate.get() && setTimeout(() => gate.settle(true)))
    await expect(remove()).resolves.toBeUndefined()
    expect(left).toEqual([])
    expect(gate.get()).toBeUndefined()
  })

  test('fails without it, and is not sent again', async () => {
    const { gate, left, remove } = aCaller([NEEDS_PROOF, DONE])
    gate.subscribe(() => gate.get() && setTimeout(() => gate.settle(false)))
    await expect(remove()).rejects.toMatchObject({ code: 'aborted' })
    expect(left).toEqual([DONE])
  })

  test('prompts once: a second rejection is reported', async () => {
    const { gate, remove } = aCaller([NEEDS_PROOF, NEEDS_PROOF])
    gate.subscribe(() => gate.get() && setTimeout(() => gate.settle(true)))
    await expect(remove()).rejects.toMatchObject({ code: 'step-up-needed' })
  })
})

describe('the re-authentication gate', () => {
  test('prompts once for all pending calls', async () => {
    const gate = createReauthenticationGate()
    gate.subscribe(nothing)
    const both = Promise.all([gate.ask(), gate.ask()])
    gate.settle(true)
    expect(await both).toEqual([true, true])
  })

  test('resolves with false immediately without a dialog', async () => {
    expect(await createReauthenticationGate().ask()).toBe(false)
  })

  test('prompts again after an earlier answer', async () => {
    const gate = createReauthenticationGate()
    gate.subscribe(nothing)
    const first = gate.ask()
    gate.settle(false)
    expect(await first).toBe(false)
    void gate.ask()
    expect(gate.get()).toBeDefined()
  })
})
