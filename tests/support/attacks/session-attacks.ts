import { generationOf, attackLog, type AttackScenario } from './attack-log.ts'

const AT_ONCE = 20
const GENERATIONS = 4

const twentyAtOnce: AttackScenario = {
  title: `${AT_ONCE} refreshes with one token at the same time`,
  play: async (server) => {
    const { steps, refresh, use, ripen } = attackLog(server)
    const { refreshToken } = await server.signIn()
    await ripen()
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => server.refresh(refreshToken)))
    const successors = new Set(answers.map(({ held }) => held.refreshToken))
    const summary = [...new Set(answers.map((answer) => answer.summary))].join(', ')
    const [first = ''] = successors
    steps.push({
      who: 'victim',
      does: `refreshes ${AT_ONCE} times with generation 0`,
      summary: `${summary}; ${successors.size} successor, generation ${generationOf(first)}`,
    })
    await ripen()
    const next = await refresh('victim', first)
    await use('victim', next)
    return steps
  },
}

const replayOf = (generation: number): AttackScenario => ({
  title: `Generation ${generation} of ${GENERATIONS} is played once more`,
  play: async (server) => {
    const { steps, refresh, use, later, ripen } = attackLog(server)
    const held = [await server.signIn()]
    for (let round = 0; round < GENERATIONS; round += 1) {
      await ripen()
      const next = await refresh('victim', held.at(-1)?.refreshToken ?? '')
      await use('victim', next)
      held.push(next)
    }
    await later()
    await refresh('thief', held[generation]?.refreshToken ?? '')
    for (const each of held.toReversed()) await refresh('victim', each.refreshToken)
    for (const each of held.toReversed()) await use('victim', each)
    return steps
  },
})

const lostAnswer: AttackScenario = {
  title: 'The answer to a refresh is lost on its way',
  play: async (server) => {
    const { steps, refresh, use, later, ripen } = attackLog(server)
    const first = await server.signIn()
    await ripen()
    await refresh('victim (answer lost)', first.refreshToken)
    await later()
    await refresh('victim (answer lost)', first.refreshToken)
    await later()
    const arrived = await refresh('victim', first.refreshToken)
    await use('victim', arrived)
    await use('victim', await refresh('victim', arrived.refreshToken))
    return steps
  },
}

const duplicate: AttackScenario = {
  title: 'A second tab refreshes with the same token within ten seconds',
  play: async (server) => {
    const { steps, refresh, use, ripen } = attackLog(server)
    const first = await server.signIn()
    await ripen()
    const one = await refresh('tab 1', first.refreshToken)
    await use('tab 1', one)
    const two = await refresh('tab 2', first.refreshToken)
    await use('tab 2', two)
    await use('tab 1', one)
    return steps
  },
}

const victimThenThief: AttackScenario = {
  title: 'The victim refreshes first, then the thief with the same token',
  play: async (server) => {
    const { steps, refresh, use, later, ripen } = attackLog(server)
    const first = await server.signIn()
    await ripen()
    const own = await refresh('victim', first.refreshToken)
    await use('victim', own)
    await later()
    await refresh('thief', first.refreshToken)
    await use('victim', own)
    await refresh('victim', own.refreshToken)
    return steps
  },
}

const thiefThenVictim: AttackScenario = {
  title: 'The thief refreshes first, then the victim with the same token',
  play: async (server) => {
    const { steps, refresh, use, later, ripen } = attackLog(server)
    const first = await server.signIn()
    await ripen()
    const stolen = await refresh('thief', first.refreshToken)
    await use('thief', stolen)
    await later()
    await refresh('victim', first.refreshToken)
    await use('thief', stolen)
    await refresh('thief', stolen.refreshToken)
    return steps
  },
}

const leapfrog: AttackScenario = {
  title: 'Leapfrog: thief and victim take turns, each one token behind the other',
  play: async (server) => {
    const { steps, refresh, use, later, ripen } = attackLog(server)
    const first = await server.signIn()
    await ripen()
    // The thief only refreshes and doesn't use the new token, which looks like a lost response to the server.
    const stolen = await refresh('thief', first.refreshToken)
    await later()
    const own = await refresh('victim', first.refreshToken)
    await use('victim', own)
    const next = await refresh('victim', own.refreshToken)
    await use('victim', next)
    await later()
    await refresh('thief', stolen.refreshToken)
    await use('victim', next)
    await refresh('victim', next.refreshToken)
    await use('thief', stolen)
    return steps
  },
}

const leapfrogTurned: AttackScenario = {
  title: 'Leapfrog the other way round: the victim is the one who is behind',
  play: async (server) => {
    const { steps, refresh, use, later, ripen } = attackLog(server)
    const first = await server.signIn()
    await ripen()
    const own = await refresh('victim', first.refreshToken)
    await later()
    const stolen = await refresh('thief', first.refreshToken)
    const next = await refresh('thief', stolen.refreshToken)
    await use('thief', next)
    await later()
    await refresh('victim', own.refreshToken)
    await use('thief', next)
    await refresh('thief', next.refreshToken)
    return steps
  },
}

const forged: AttackScenario = {
  title: 'Tokens that were never given out',
  play: async (server) => {
    const { steps, refresh, ripen } = attackLog(server)
    const [own, other] = [await server.signIn(), await server.signIn()]
    const [version = '', sessionId = '', , signature = ''] = own.refreshToken.split('.')
    const otherSignature = other.refreshToken.split('.')[3] ?? ''
    await refresh('forger (counts ahead)', [version, sessionId, '7', signature].join('.'))
    await refresh('forger (another session’s signature)', [version, sessionId, '0', otherSignature].join('.'))
    await refresh('forger (no signature)', [version, sessionId, '0', ''].join('.'))
    await refresh('forger (no such session)', [version, '0'.repeat(26), '0', signature].join('.'))
    await refresh('forger (an access token)', own.token)
    await ripen()
    await refresh('victim', own.refreshToken)
    return steps
  },
}

const otherSessions: AttackScenario = {
  title: 'A reuse ends the session it is about, and no other',
  play: async (server) => {
    const { steps, refresh, use, ripen } = attackLog(server)
    const [attacked, other] = [await server.signIn(), await server.signIn()]
    await ripen()
    const second = await refresh('victim', attacked.refreshToken)
    await ripen()
    await refresh('victim', second.refreshToken)
    await refresh('thief', attacked.refreshToken)
    await use('victim', second)
    await use('victim on another device', other)
    await refresh('victim on another device', other.refreshToken)
    return steps
  },
}

/** Attacks that refresh token rotation must prevent. */
export const SESSION_ATTACKS: readonly AttackScenario[] = [
  twentyAtOnce,
  ...Array.from({ length: GENERATIONS }, (_, generation) => replayOf(generation)),
  lostAnswer,
  duplicate,
  victimThenThief,
  thiefThenVictim,
  leapfrog,
  leapfrogTurned,
  forged,
  otherSessions,
]
