import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { config } from 'zod'
import { sessionActions } from '#web/client/session-actions.ts'
import { App } from './app.tsx'

// Compiling schemas needs `eval`, which the page's content policy forbids; without this it would be tried and reported.
config({ jitless: true })

void sessionActions.restoreSession()

const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
