import { type Budget, type Line, lineOfRequests } from './line.ts'
import { type Figures, figuresOf, type Load, type LoadWindow, runLoad, WINDOW } from './load.ts'
import { cpuMsOf } from './process-figures.ts'
import { type RawRequest, rawRequest } from './raw-client.ts'
import type { Stage } from './stage.ts'

/** One subject of the bench, by the name that `--only` chooses it with. */
export type Measurement = { readonly name: string; readonly run: (stage: Stage) => Promise<Line[]> }

/** What is sent in a measurement, and by how many at once. */
export type Asking = {
  readonly requests: readonly RawRequest[]
  readonly connections?: number
  readonly status?: number
  readonly window?: Partial<LoadWindow>
}

/** The address of the measured collection's records. */
export const RECORDS = '/api/collections/items/records'

/** An asking as a load on the stage's server, with its owner's token. */
export function loadOf(stage: Stage, { requests, connections = 1, status = 200, window }: Asking): Load {
  return {
    port: stage.port(),
    connections,
    requests: requests.map((request) => rawRequest({ token: stage.token, ...request })),
    status,
    ...WINDOW,
    ...window,
  }
}

/** Runs a load and tells besides what a request cost the server's processor, in ms. */
async function measure(
  stage: Stage,
  asking: Asking,
): Promise<{ readonly figures: Figures; readonly cpuMs: number | undefined }> {
  const { pid } = stage.server()
  const before = cpuMsOf(pid)
  const result = await runLoad(loadOf(stage, asking))
  const after = cpuMsOf(pid)
  const figures = figuresOf(result)
  if (before === undefined || after === undefined) return { figures, cpuMs: undefined }
  // The processor also worked while the load warmed up, and at the same rate.
  const counted = figures.count * (1 + (asking.window?.warmUpMs ?? WINDOW.warmUpMs) / (result.seconds * 1000))
  return { figures, cpuMs: (after - before) / counted }
}

/** One measured line. */
export async function measureLine(stage: Stage, budget: Budget, asking: Asking): Promise<Line> {
  const { figures, cpuMs } = await measure(stage, asking)
  return lineOfRequests(budget, figures, cpuMs)
}

/** Paths of reads of single records all over the collection. */
export const singleReads = (stage: Stage): RawRequest[] =>
  stage.filled.someRecords.map((id) => ({ method: 'GET', path: `${RECORDS}/${id}` }))

/** A list's address. */
export function listPath(query: Readonly<Record<string, string>>): string {
  return `${RECORDS}?${new URLSearchParams({ perPage: '50', ...query }).toString()}`
}
