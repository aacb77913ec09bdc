import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { App } from './app.tsx'

void sessionActions.restoreSession()

const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
