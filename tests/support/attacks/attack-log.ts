import { DUPLICATE_WINDOW_MS } from '#domain/sessions/session.ts'

/** What a server answered: `200`, or its status with the code of the problem. */
export type ResponseSummary = string

/** The tokens one holds. */
export type HeldTokens = { readonly token: string; readonly refreshToken: string }

/** A server under attack, however it is reached. */
export type AttackedServer = {
  /** How the refresh token travels. In the cookie the current one stays for ten seconds; in the body none ever does. */
  readonly form: 'cookie' | 'body'
  /** Signs the victim in, in a session of its own. */
  readonly signIn: () => Promise<HeldTokens>
  readonly refresh: (refreshToken: string) => Promise<{ readonly said: ResponseSummary; readonly held: HeldTokens }>
  /** Uses an access token. */
  readonly use: (token: string) => Promise<ResponseSummary>
  /** Lets time go by. */
  readonly wait: (ms: number) => Promise<void>
}

/** One thing somebody did, and what the server said. */
export type AttackStep = { readonly who: string; readonly does: string; readonly said: ResponseSummary }

/** One attack from its beginning to its end. */
export type AttackScenario = {
  readonly title: string
  readonly play: (server: AttackedServer) => Promise<readonly AttackStep[]>
}

/** The number in a refresh token: how many there were before it. */
export const generationOf = (refreshToken: string): string => /^r2\.\w+\.(\d+)\./.exec(refreshToken)?.[1] ?? 'none'

/** Long enough that two of the same are no duplicates any more. */
const LATER_MS = DUPLICATE_WINDOW_MS + 500

/** Writes down who does what, and what the server says to it. */
export function attackLog(server: AttackedServer) {
  const steps: AttackStep[] = []
  const refresh = async (who: string, refreshToken: string): Promise<HeldTokens> => {
    const { said, held } = await server.refresh(refreshToken)
    const gained = said === '200' ? ` → generation ${generationOf(held.refreshToken)}` : ''
    steps.push({ who, does: `refreshes with generation ${generationOf(refreshToken)}`, said: `${said}${gained}` })
    return held
  }
  const use = async (who: string, { token, refreshToken }: HeldTokens): Promise<void> => {
    const said = await server.use(token)
    steps.push({ who, does: `uses the access token of generation ${generationOf(refreshToken)}`, said })
  }
  const pass = async (ms: number): Promise<void> => {
    await server.wait(ms)
    steps.push({ who: '', does: `${ms / 1000} s go by`, said: '' })
  }
  return {
    steps,
    refresh,
    use,
    pass,
    later: () => pass(LATER_MS),
    /** Until the current token is old enough to be replaced when it is used. */
    ripen: async () => (server.form === 'cookie' ? pass(LATER_MS) : undefined),
  }
}
