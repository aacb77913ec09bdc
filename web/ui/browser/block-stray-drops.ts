/** Without a drop target, the browser would open dropped files and unsaved edits would be lost. */
export function blockStrayDrops(): () => void {
  const stop = (event: DragEvent) => {
    const isFileInput = event.target instanceof HTMLInputElement && event.target.type === 'file'
    if (event.defaultPrevented || isFileInput || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  window.addEventListener('dragover', stop)
  window.addEventListener('drop', stop)
  return () => {
    window.removeEventListener('dragover', stop)
    window.removeEventListener('drop', stop)
  }
}
