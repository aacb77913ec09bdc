import { DUPLICATE_WINDOW_MS } from '#domain/sessions/session.ts'

/** `200`, or the status with the problem code. */
export type ResponseSummary = string

export type HeldTokens = { readonly token: string; readonly refreshToken: string }

/** A server under attack, reached through its API or a browser. */
export type AttackedServer = {
  /**
   * How the refresh token is sent. In a cookie, a token isn't rotated during its first ten seconds; in a body, every
   * use rotates it.
   */
  readonly form: 'cookie' | 'body'
  /** Signs the victim in, in a new session. */
  readonly signIn: () => Promise<HeldTokens>
  readonly refresh: (refreshToken: string) => Promise<{ readonly summary: ResponseSummary; readonly held: HeldTokens }>
  readonly use: (token: string) => Promise<ResponseSummary>
  readonly wait: (ms: number) => Promise<void>
}

/** A request and its response. */
export type AttackStep = { readonly who: string; readonly does: string; readonly summary: ResponseSummary }

export type AttackScenario = {
  readonly title: string
  readonly play: (server: AttackedServer) => Promise<readonly AttackStep[]>
}

/** The rotation count in a refresh token. */
export const generationOf = (refreshToken: string): string => /^r2\.\w+\.(\d+)\./.exec(refreshToken)?.[1] ?? 'none'

/** Long enough for two requests not to count as duplicates. */
const LATER_MS = DUPLICATE_WINDOW_MS + 500

/** Records each request and its response. */
export function attackLog(server: AttackedServer) {
  const steps: AttackStep[] = []
  const refresh = async (who: string, refreshToken: string): Promise<HeldTokens> => {
    const { summary, held } = await server.refresh(refreshToken)
    const gained = summary === '200' ? ` → generation ${generationOf(held.refreshToken)}` : ''
    steps.push({ who, does: `refreshes with generation ${generationOf(refreshToken)}`, summary: `${summary}${gained}` })
    return held
  }
  const use = async (who: string, { token, refreshToken }: HeldTokens): Promise<void> => {
    const summary = await server.use(token)
    steps.push({ who, does: `uses the access token of generation ${generationOf(refreshToken)}`, summary })
  }
  const pass = async (ms: number): Promise<void> => {
    await server.wait(ms)
    steps.push({ who: '', does: `${ms / 1000} s go by`, summary: '' })
  }
  return {
    steps,
    refresh,
    use,
    pass,
    later: () => pass(LATER_MS),
    /** Waits until the next use rotates the current token. */
    ripen: async () => (server.form === 'cookie' ? pass(LATER_MS) : undefined),
  }
}
