import type { z } from 'zod'
import type { Endpoint } from '#api/endpoint.ts'
import { t } from '#web/i18n/t.ts'
import { createStore } from '#web/ui/store.ts'
import { CallError, type FailureCode } from './call-error.ts'
import { type HttpRequest, type RequestResult, type SendRequest, sendRequest } from './send-request.ts'
import { createAccessToken, supersededError } from '#web/data/session/access-token.ts'
import { type RefreshOutcome, refreshSession } from '#web/data/session/refresh-session.ts'
import { reloadPage, type SessionState, sessionState, whenSettled } from '#web/data/session/session-state.ts'

/** Blocks calls until the user re-authenticates. Calls made while the dialog is open share its result. */
export function createReauthenticationGate() {
  const { get, set, subscribe, hasListeners } = createStore<
    { readonly answer: Promise<boolean>; readonly settle: (isProven: boolean) => void } | undefined
  >(undefined)
  return {
    get,
    subscribe,
    /** Resolves to true after re-authentication, or to false if it was canceled or no dialog is available. */
    ask(): Promise<boolean> {
      const requested = get()
      if (requested) return requested.answer
      if (!hasListeners()) return Promise.resolve(false)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      set({ answer: promise, settle: resolve })
      return promise
    },
    settle(isProven: boolean) {
      get()?.settle(isProven)
      set(undefined)
    },
  }
}

export const reauthenticationGate: ReturnType<typeof createReauthenticationGate> = createReauthenticationGate()

/** The browser's time zone, sent with every request so that “today” is the same day on the server. */
type TimeZoneHeader = {
  readonly headers: () => { readonly [name: string]: string }
  /** Stops sending the time zone after the server has rejected it; returns false if none was sent. */
  readonly giveUp: () => boolean
}

/** Reads the time zone for each request, because it changes when users travel. */
export function createTimeZoneHeader(readZone: () => string | undefined): TimeZoneHeader {
  let refused: string | undefined
  const named = (): string | undefined => {
    const zone = readZone()
    // Browsers report `Etc/Unknown` if the system has no time zone.
    return zone === undefined || zone === '' || zone === 'Etc/Unknown' || zone === refused ? undefined : zone
  }
  return {
    headers: () => {
      const zone = named()
      return zone === undefined ? {} : { 'time-zone': zone }
    },
    giveUp: () => {
      const zone = named()
      refused = zone ?? refused
      return zone !== undefined
    },
  }
}

type OptionalParts = { readonly [part: string]: never }

type Part<Name extends string, Value> = OptionalParts extends Value
  ? { readonly [Key in Name]?: Value }
  : { readonly [Key in Name]: Value }

/** Query parameters; numbers are converted to text, and undefined parameters are omitted. */
type QueryInput<Query> = {
  readonly [Key in keyof Query]: Query[Key] | (string extends Query[Key] ? number : never) | undefined
}

type BodyInput<Body> = Body extends z.ZodType
  ? Part<'body', z.input<Body>>
  : Body extends 'stream'
    ? { readonly body: Blob }
    : { readonly body?: never }

type CallOptions = {
  readonly signal?: AbortSignal | undefined
  /** Sends the request even if the page is closed; requires a small body. */
  readonly keepalive?: true
  /** Idempotency key: repeating a request with the same key has no further effect. */
  readonly idempotencyKey?: string
  /** Time zone for calendar days; defaults to the browser's. */
  readonly timeZone?: string | undefined
}

export type CallInput<E extends Endpoint> = Part<'params', z.input<E['params']>> &
  Part<'query', QueryInput<z.input<E['query']>>> &
  BodyInput<E['body']> &
  CallOptions

export type CallResult<E extends Endpoint> = E['response'] extends z.ZodType
  ? z.output<E['response']>
  : E['response'] extends 'raw'
    ? Blob
    : undefined

type Arguments<E extends Endpoint> = OptionalParts extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

type LooseInput = CallOptions & {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

export function buildUrl(endpoint: Endpoint, { params, query }: Pick<LooseInput, 'params' | 'query'>): string {
  const parts = new Map<string, unknown>(Object.entries(params ?? {}))
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(parts.get(name))))
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  if (given.length === 0) return path
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

function answerForm({ response: answer }: Endpoint): HttpRequest['answer'] {
  if (answer === 'raw') return 'blob'
  return answer === 'empty' ? 'empty' : 'json'
}

const wireOf = (endpoint: Endpoint, input: LooseInput): HttpRequest => ({
  method: endpoint.method,
  path: buildUrl(endpoint, input),
  body: input.body,
  signal: input.signal,
  ...(input.keepalive && { keepalive: input.keepalive }),
  answer: answerForm(endpoint),
})

/** Error codes after which a request may succeed with a new token. */
const TOKEN_CODES: readonly FailureCode[] = ['token-missing', 'token-expired', 'token-invalid', 'session-ended']

/** Error codes indicating that the page no longer belongs to the signed-in user. */
const SESSION_RESET_CODES: readonly FailureCode[] = ['user-changed', 'view-as-ended', 'second-factor-needed']

const isTokenRefused = (exchanged: RequestResult) => !exchanged.ok && TOKEN_CODES.includes(exchanged.failure.code)

function anySignal(one: AbortSignal | undefined, other: AbortSignal): AbortSignal {
  return one ? AbortSignal.any([one, other]) : other
}

const isReauthenticationRequired = () =>
  new CallError('aborted', t('Your identity wasn’t confirmed, so nothing was changed.'))

type CallerDeps = {
  readonly state: SessionState
  readonly exchange: SendRequest
  readonly refresh: () => Promise<RefreshOutcome>
  readonly now: () => number
  readonly onOtherUser: () => void
  readonly proveAgain?: () => Promise<boolean>
  readonly calendar?: TimeZoneHeader
}

export function createCaller({ state, exchange: send, refresh, now, onOtherUser, proveAgain, calendar }: CallerDeps) {
  const { freshToken, tokenAfter, headersWith, ...forOthers } = createAccessToken({ state, refresh, now })

  /** On sign-out, read requests are aborted, but write requests are allowed to complete. */
  async function sendAs(token: string, endpoint: Endpoint, input: LooseInput): Promise<RequestResult> {
    const wire = wireOf(endpoint, input)
    const signal = wire.method === 'GET' ? anySignal(wire.signal, state.epochEnd()) : wire.signal
    const zone = input.timeZone === undefined ? calendar?.headers() : { 'time-zone': input.timeZone }
    const once = input.idempotencyKey === undefined ? {} : { 'idempotency-key': input.idempotencyKey }
    const sent = await send({ ...wire, headers: { ...headersWith(token), ...zone, ...once }, signal })
    // An unsupported time zone must not block the user; without one, the server uses UTC.
    const isZoneRefused = !sent.ok && sent.failure.code === 'time-zone-unknown' && calendar?.giveUp() === true
    return isZoneRefused ? sendAs(token, endpoint, input) : sent
  }

  /** Sends a request with a valid token; if the token is rejected, refreshes it and retries once. */
  async function sendSigned(endpoint: Endpoint, input: LooseInput): Promise<RequestResult> {
    const epoch = state.epoch()
    const token = await freshToken()
    const first = await sendAs(token, endpoint, input)
    if (epoch !== state.epoch()) throw supersededError()
    if (!first.ok && SESSION_RESET_CODES.includes(first.failure.code)) {
      onOtherUser()
      throw supersededError()
    }
    if (!isTokenRefused(first)) return first
    const newer = await tokenAfter(token)
    if (epoch !== state.epoch()) throw supersededError()
    return sendAs(newer, endpoint, input)
  }

  /** Sends a request; if the server requires re-authentication, prompts the user and sends it again. */
  async function sendProven(endpoint: Endpoint, input: LooseInput): Promise<RequestResult> {
    const exchanged = await sendSigned(endpoint, input)
    if (exchanged.ok || exchanged.failure.code !== 'step-up-needed' || !proveAgain) return exchanged
    return (await proveAgain()) ? sendSigned(endpoint, input) : { ok: false, failure: isReauthenticationRequired() }
  }

  async function callBy<E extends Endpoint>(
    way: (endpoint: Endpoint, input: LooseInput) => Promise<RequestResult>,
    endpoint: E,
    input: LooseInput,
  ): Promise<CallResult<E>> {
    // Calls started before a sign-in or sign-out belong to the previous user.
    const epoch = state.epoch()
    await whenSettled(state)
    if (epoch !== state.epoch()) throw supersededError()
    const exchanged = await way(endpoint, input)
    if (epoch !== state.epoch()) throw supersededError()
    if (!exchanged.ok) throw exchanged.failure
    // The server serializes every response with this endpoint's schema.
    return exchanged.body as CallResult<E>
  }

  /** Calls the server as the signed-in user; rejects without a request if signed out. */
  const call = <const E extends Endpoint>(endpoint: E, ...given: Arguments<E>): Promise<CallResult<E>> =>
    callBy(sendProven, endpoint, given[0] ?? {})

  /** For background calls: fails instead of prompting the user to re-authenticate. */
  const callUnasked = <const E extends Endpoint>(endpoint: E, ...given: Arguments<E>): Promise<CallResult<E>> =>
    callBy(sendSigned, endpoint, given[0] ?? {})

  /** Calls the server without an access token. */
  async function callOpenly<const E extends Endpoint>(endpoint: E, ...given: Arguments<E>): Promise<CallResult<E>> {
    const exchanged = await send(wireOf(endpoint, given[0] ?? {}))
    if (!exchanged.ok) throw exchanged.failure
    // The server serializes every response with the endpoint's schema.
    return exchanged.body as CallResult<E>
  }

  return { call, callUnasked, callOpenly, ...forOthers }
}

export const { call, callUnasked, callOpenly, signedHeaders, renewSigned, confirmSession } = createCaller({
  state: sessionState,
  exchange: sendRequest,
  refresh: refreshSession,
  now: () => Date.now(),
  onOtherUser: () => reloadPage(sessionState),
  proveAgain: () => reauthenticationGate.ask(),
  calendar: createTimeZoneHeader(() => new Intl.DateTimeFormat().resolvedOptions().timeZone),
})
