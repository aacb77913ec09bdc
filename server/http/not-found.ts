import type { FastifyInstance } from 'fastify'
import { Problem } from '#domain/shared/problem.ts'
import { sendProblem } from './responses/errors.ts'
import type { Route } from '#server/platform/http/route.ts'
import { isData } from './responses/security-headers.ts'
import type { SendPage } from './web-files.ts'

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+')}$`)

/** Answers what no route answers: the page for a page's address, 405 where the address exists, else 404. */
export function answerNotFound(app: FastifyInstance, routes: readonly Route[], sendPage: SendPage): void {
  const known = routes.map(({ endpoint }) => ({ method: endpoint.method, pattern: patternOf(endpoint.path) }))

  app.setNotFoundHandler((request, reply) => {
    const page = isData(request.url) ? undefined : sendPage(request, reply)
    if (page !== undefined) return page

    const path = request.url.split('?', 1)[0] ?? ''
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (methods.length === 0) {
      return sendProblem(request, reply, new Problem('not-found', 'Not found: there is nothing at this URL.'))
    }
    const allowed = [...new Set(methods)].sort().join(', ')
    reply.header('allow', allowed)
    return sendProblem(
      request,
      reply,
      new Problem('method-not-allowed', `${request.method} isn’t allowed here. Allowed: ${allowed}.`),
    )
  })
}
