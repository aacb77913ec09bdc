import { DUPLICATE_WINDOW_MS } from '#domain/sessions/session.ts'

/** `200`, or the status and the problem code. */
export type ResponseSummary = string

export type HeldTokens = { readonly token: string; readonly refreshToken: string }

/** The attacked server, accessed as an API client or as a browser. */
export type AttackedServer = {
  /**
   * How clients send the refresh token. Tokens in a cookie aren't rotated during their first ten seconds; tokens in a
   * body are rotated with every use.
   */
  readonly form: 'cookie' | 'body'
  /** Signs the victim in and starts a new session. */
  readonly signIn: () => Promise<HeldTokens>
  readonly refresh: (refreshToken: string) => Promise<{ readonly summary: ResponseSummary; readonly held: HeldTokens }>
  readonly use: (token: string) => Promise<ResponseSummary>
  readonly wait: (ms: number) => Promise<void>
}

/** A request and a summary of its response. */
export type AttackStep = { readonly who: string; readonly does: string; readonly summary: ResponseSummary }

export type AttackScenario = {
  readonly title: string
  readonly play: (server: AttackedServer) => Promise<readonly AttackStep[]>
}

/** The rotation count encoded in a refresh token. */
export const generationOf = (refreshToken: string): string => /^r2\.\w+\.(\d+)\./.exec(refreshToken)?.[1] ?? 'none'

/** A delay in ms after which a second request doesn't count as a duplicate. */
const LATER_MS = DUPLICATE_WINDOW_MS + 500

/** Records each request with a summary of its response. */
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
    /** Waits until the current token is old enough to be rotated by its next use. */
    ripen: async () => (server.form === 'cookie' ? pass(LATER_MS) : undefined),
  }
}
