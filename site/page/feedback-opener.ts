/** The link that leads to an empty issue; where scripts run, a dialog fills it in first. */
export function installFeedback(): void {
  const link = document.querySelector<HTMLAnchorElement>('[data-feedback]');
  link?.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void import('./feedback.ts').then(
      ({ openFeedback }) => openFeedback(link.href),
      () => location.assign(link.href),
    );
  });
}
