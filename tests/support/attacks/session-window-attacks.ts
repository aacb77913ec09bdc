import { type AttackedServer, generationOf, type HeldTokens, attackLog, type AttackScenario } from './attack-log.ts'

const TABS = 10

/**
 * `NINE_S` is within the ten seconds during which a browser's current token isn't rotated; `TWO_S` more exceeds them.
 */
const NINE_S = 9000
const TWO_S = 2000

/** Summarizes the responses received by several tabs. */
function sumUp(answers: readonly { readonly summary: string; readonly held: HeldTokens }[]): string {
  const summary = [...new Set(answers.map((answer) => answer.summary))].join(', ')
  const generations = [...new Set(answers.map(({ held }) => generationOf(held.refreshToken)))]
  return `${summary}; generation ${generations.join(', ')}`
}

const tenTabs: AttackScenario = {
  title: 'Ten tabs reload one after another, then at the same time',
  play: async (server) => {
    const { steps, ripen } = attackLog(server)
    let { refreshToken } = await server.signIn()
    await ripen()
    const inTurn: Awaited<ReturnType<AttackedServer['refresh']>>[] = []
    for (let tab = 0; tab < TABS; tab += 1) {
      const answer = await server.refresh(refreshToken)
      refreshToken = answer.held.refreshToken
      inTurn.push(answer)
    }
    steps.push({
      who: 'victim',
      does: `refreshes ${TABS} times in turn with what the browser holds`,
      summary: sumUp(inTurn),
    })
    const atOnce = await Promise.all(Array.from({ length: TABS }, () => server.refresh(refreshToken)))
    steps.push({ who: 'victim', does: `refreshes ${TABS} times at once`, summary: sumUp(atOnce) })
    return steps
  },
}

/**
 * One party refreshes, the other uses the same old token 9 s later, and both continue with the tokens they received.
 */
const leapfrogInside = (first: string, second: string): AttackScenario => ({
  title: `Leapfrog: the ${second} is 9 s behind the ${first}`,
  play: async (server) => {
    const { steps, refresh, use, pass, ripen, later } = attackLog(server)
    const begun = await server.signIn()
    await ripen()
    const one = await refresh(first, begun.refreshToken)
    await use(first, one)
    await pass(NINE_S)
    const other = await refresh(second, begun.refreshToken)
    await use(second, other)
    await pass(TWO_S)
    const next = await refresh(first, one.refreshToken)
    await use(first, next)
    await later()
    await refresh(second, other.refreshToken)
    await use(second, other)
    await use(first, next)
    await refresh(first, next.refreshToken)
    return steps
  },
})

/** One party uses the new token within 9 s; the other uses the old one after 11 s. */
const leapfrogOutside = (first: string, second: string): AttackScenario => ({
  title: `Leapfrog: the ${second} is 11 s behind the ${first}`,
  play: async (server) => {
    const { steps, refresh, use, pass, ripen } = attackLog(server)
    const begun = await server.signIn()
    await ripen()
    const one = await refresh(first, begun.refreshToken)
    await pass(NINE_S)
    const same = await refresh(first, one.refreshToken)
    await pass(TWO_S)
    await refresh(second, begun.refreshToken)
    await use(first, same)
    await refresh(first, same.refreshToken)
    return steps
  },
})

const stolenCurrent: AttackScenario = {
  title: 'The thief takes the current token and uses it within ten seconds',
  play: async (server) => {
    const { steps, refresh, use, pass, ripen, later } = attackLog(server)
    const begun = await server.signIn()
    await ripen()
    const own = await refresh('victim', begun.refreshToken)
    await pass(NINE_S)
    const stolen = await refresh('thief', own.refreshToken)
    await use('thief', stolen)
    await pass(TWO_S)
    const next = await refresh('victim', own.refreshToken)
    await use('victim', next)
    await later()
    await refresh('thief', stolen.refreshToken)
    await use('thief', stolen)
    await use('victim', next)
    return steps
  },
}

/** Attacks during the ten seconds in which a browser's current refresh token isn't rotated. */
export const WINDOW_ATTACKS: readonly AttackScenario[] = [
  tenTabs,
  leapfrogInside('victim', 'thief'),
  leapfrogInside('thief', 'victim'),
  leapfrogOutside('victim', 'thief'),
  leapfrogOutside('thief', 'victim'),
  stolenCurrent,
]
