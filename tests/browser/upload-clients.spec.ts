import { expect, test } from '@playwright/test'
import { type Ordeal, runOrdeal } from '#tests/uploads/ordeal.ts'
import { CLIENTS, openProvingGround, type ProvingGround } from '#tests/uploads/proving-ground.ts'

/** Another one in each run; DOSSIER_SEED takes the one that a failure named. */
const SEED = Number(process.env['DOSSIER_SEED'] ?? Math.floor(Math.random() * 1e9))

const KILLS = 10

let ground: ProvingGround
let ordeals: readonly Ordeal[]

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000)
  ground = await openProvingGround(SEED)
  const plan = { browser, clients: CLIENTS, bytes: 20_000_000, kills: KILLS, seed: SEED, faultShare: 0.3 }
  ordeals = await runOrdeal(ground, plan)
})
test.afterAll(() => ground.close())

for (const client of CLIENTS) {
  test(`${client} brings 20 MB through ten kills of the server and a network that breaks`, () => {
    const ordeal = ordeals.find((one) => one.client === client)
    expect(ordeal, `DOSSIER_SEED=${SEED}`).toMatchObject({ isSame: true, lost: [] })
    expect(ground.server.kills()).toBe(KILLS)
  })
}
