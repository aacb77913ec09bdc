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
  test('is sent again after the user re-authenticates', async () => {
    const { gate, left, remove } = aCaller([NEEDS_PROOF, DONE])
    gate.subscribe(() => gate.get() && setTimeout(() => gate.settle(true)))
    await expect(remove()).resolves.toBeUndefined()
    expect(left).toEqual([])
    expect(gate.get()).toBeUndefined()
  })

  test('fails without being sent again if the user cancels', async () => {
    const { gate, left, remove } = aCaller([NEEDS_PROOF, DONE])
    gate.subscribe(() => gate.get() && setTimeout(() => gate.settle(false)))
    await expect(remove()).rejects.toMatchObject({ code: 'aborted' })
    expect(left).toEqual([DONE])
  })

  test('prompts only once, and reports a second rejection', async () => {
    const { gate, remove } = aCaller([NEEDS_PROOF, NEEDS_PROOF])
    gate.subscribe(() => gate.get() && setTimeout(() => gate.settle(true)))
    await expect(remove()).rejects.toMatchObject({ code: 'step-up-needed' })
  })
})

describe('the re-authentication dialog', () => {
  test('opens once for all pending calls', async () => {
    const gate = createReauthenticationGate()
    gate.subscribe(nothing)
    const both = Promise.all([gate.ask(), gate.ask()])
    gate.settle(true)
    expect(await both).toEqual([true, true])
  })

  test('resolves to false immediately if no dialog is mounted', async () => {
    expect(await createReauthenticationGate().ask()).toBe(false)
  })

  test('opens again for a later call', async () => {
    const gate = createReauthenticationGate()
    gate.subscribe(nothing)
    const first = gate.ask()
    gate.settle(false)
    expect(await first).toBe(false)
    void gate.ask()
    expect(gate.get()).toBeDefined()
  })
})
