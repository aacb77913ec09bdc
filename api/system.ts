import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const health = endpoint({
  method: 'GET',
  path: '/api/health',
  cost: 'none',
  summary: 'Check that the process is alive.',
  response: z.object({ status: z.literal('alive'), version: z.string() }),
})

export const ready = endpoint({
  method: 'GET',
  path: '/api/ready',
  cost: 'none',
  summary: 'Check that the database and storage respond.',
  response: z.object({ status: z.literal('ready') }),
  problems: ['not-ready', 'storage-away'],
})

export const readOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'Get the OpenAPI 3.1 document with all endpoints and the record schemas of the collections you can read.',
  response: 'raw',
  contentTypes: { 200: 'application/json', 304: null },
})

export const readMetrics = endpoint({
  method: 'GET',
  path: '/metrics',
  cost: 'none',
  summary: 'Get process and workspace metrics in Prometheus format. They don’t contain names or record data.',
  response: 'raw',
  contentTypes: { 200: 'text/plain' },
})

/** Fits the integer types of both databases. */
const smallNumber = z.number().int().min(0).max(10_000)

const tourProgress = z.object({
  tour: z.string().max(60),
  version: smallNumber,
  state: z.enum(['seen', 'done', 'dismissed']),
  step: smallNumber,
})

export const listTours = endpoint({
  method: 'GET',
  path: '/api/account/tours',
  summary: 'List your product tours and their progress, and whether the workspace offers tours.',
  response: z.object({ items: z.array(tourProgress), isOn: z.boolean() }),
})

export const changeTours = endpoint({
  method: 'PATCH',
  path: '/api/workspace/tours',
  summary: 'Turn product tours on or off for everyone.',
  body: z.strictObject({ isOn: z.boolean() }),
  response: z.object({ isOn: z.boolean() }),
})

export const saveTour = endpoint({
  method: 'PUT',
  path: '/api/account/tours',
  summary: 'Save the progress of a tour.',
  body: z.strictObject(tourProgress.shape),
  response: 'empty',
})
