import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const lifetime = z.strictObject({ idleMinutes: z.int(), longestMinutes: z.int() })

/** How long sessions last, and how many there may be; `remembered`: of those that outlive their browser. */
const sessionPolicyBody = z.strictObject({
  remembered: lifetime,
  notRemembered: lifetime,
  mostSessions: z.int().nullable().describe('of one user at once; null: no limit'),
})

export const readSessionPolicy = endpoint({
  method: 'GET',
  path: '/api/workspace/session-policy',
  summary: 'How long sessions last, and how many one user may have at once.',
  answer: sessionPolicyBody,
})

export const changeSessionPolicy = endpoint({
  method: 'PATCH',
  path: '/api/workspace/session-policy',
  summary: 'Shorten the sessions of everybody, those that are open included, or limit how many there may be.',
  body: z.strictObject({
    remembered: lifetime.partial().optional(),
    notRemembered: lifetime.partial().optional(),
    mostSessions: sessionPolicyBody.shape.mostSessions.optional(),
  }),
  answer: sessionPolicyBody,
  problems: ['values-invalid', 'step-up-needed'],
})
