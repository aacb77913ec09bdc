import type { Endpoint } from '#api/endpoint.ts'
import { REQUEST_COSTS } from '#domain/concurrency/concurrency-limits.ts'
import { READING_METHODS } from '#server/platform/http/guard.ts'

/** What one request of an endpoint takes of its asker's share. Bytes on their way take long and cost little else, so they have shares of their own. */
export type RequestCost = { readonly of: 'work' | 'bytes'; readonly cost: number }

/** Weighs an endpoint; undefined where nobody is ever kept waiting. */
export function requestCostOf({ method, body, answer, effort }: Endpoint): RequestCost | undefined {
  if (effort === 'none') return undefined
  const of = body === 'stream' || answer === 'raw' ? 'bytes' : 'work'
  if (effort === 'dear') return { of, cost: REQUEST_COSTS.dear }
  return { of, cost: READING_METHODS.has(method) ? REQUEST_COSTS.read : REQUEST_COSTS.write }
}
