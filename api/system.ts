import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const health = endpoint({
  method: 'GET',
  path: '/api/health',
  effort: 'none',
  summary: 'The process is alive.',
  answer: z.object({ status: z.literal('alive'), version: z.string() }),
})

export const ready = endpoint({
  method: 'GET',
  path: '/api/ready',
  effort: 'none',
  summary: 'Database and storage answer.',
  answer: z.object({ status: z.literal('ready') }),
  problems: ['not-ready', 'storage-away'],
})

export const readOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  summary:
    'This description, as OpenAPI 3.1: every endpoint, and the records of the collections one may read with their own fields.',
  answer: 'raw',
  sends: { 200: 'application/json', 304: null },
})

export const readMetrics = endpoint({
  method: 'GET',
  path: '/metrics',
  effort: 'none',
  summary:
    'Figures of this process and of what goes on in the workspace, as Prometheus reads them. No names, no records.',
  answer: 'raw',
  sends: { 200: 'text/plain' },
})

/** A version of a tour or a step of it: far less than a column of either database takes. */
const smallNumber = z.number().int().min(0).max(10_000)

/** Where somebody is in a tour, kept per user on the server. */
const tourProgress = z.object({
  tour: z.string().max(60),
  version: smallNumber,
  state: z.enum(['seen', 'done', 'dismissed']),
  step: smallNumber,
})

export const listTours = endpoint({
  method: 'GET',
  path: '/api/account/tours',
  summary: 'The tours this user has met.',
  answer: z.object({ items: z.array(tourProgress) }),
})

export const offerTour = endpoint({
  method: 'POST',
  path: '/api/account/tours/:tour/offer',
  summary:
    'Say that a tour is about to be shown unasked. Only the first who says so of its version may: two tabs or two browsers never show it twice.',
  params: z.object({ tour: z.string().max(60) }),
  body: z.strictObject({ version: smallNumber }),
  answer: z.object({ mayShow: z.boolean() }),
})

export const saveTour = endpoint({
  method: 'PUT',
  path: '/api/account/tours',
  summary: 'Remember how far a tour went.',
  body: z.strictObject(tourProgress.shape),
  answer: 'empty',
})
