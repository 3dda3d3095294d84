/* global SwaggerUIBundle */
// A script of its own: the Content-Security-Policy allows none within the page.
SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  // It would send the document to a validator on the Internet.
  validatorUrl: null,
});
