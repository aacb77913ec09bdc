import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Grant } from '#domain/access/actor.ts'
import { type TestApp, openTestApp } from '#tests/support/test-app.ts'
import { tusSender } from '#tests/support/tus-sender.ts'
import type { Builder } from './build-world.ts'
import { askWorld, tell, type Visitor } from './run-oracle.ts'
import { NOW } from './world.ts'

const WORLDS = Number(process.env['DOSSIER_ORACLE_WORLDS'] ?? 6)
const SEED = Number(process.env['DOSSIER_ORACLE_SEED'] ?? Date.now() % 1_000_000)
const LONGEST_MS = 60_000 + WORLDS * 10_000

let app: TestApp
let builder: Builder
let visitor: Visitor

beforeAll(async () => {
  app = await openTestApp()
  app.clock.set(NOW)
  const owner = await app.asOwner()
  builder = { owner, sender: tusSender(await app.listen(), owner) }
  const grants: Grant[] = []
  visitor = { caller: await app.asGranted(grants), grants }
})
afterAll(() => app.close())

test(
  'whatever somebody asks is answered as if what they may see were all there is',
  async () => {
    const disagreements: string[] = []
    for (let seed = SEED; seed < SEED + WORLDS; seed += 1)
      disagreements.push(...(await askWorld(builder, visitor, seed)).map(tell))
    expect(disagreements.join('\n')).toBe('')
  },
  LONGEST_MS,
)
